"""The Python package, beside what its users have otherwise: NumPy, idx2numpy, python-blosc2, pyarrow."""

import os
import sys
from pathlib import Path

import blosc2
import idx2numpy
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from arrays import IMAGES_OFFSET
from b2nd import numbers
from data import IMAGES
from measure import THREADS, NdBytes, Row, averaged, compare, once

IMAGES_FILE = "u8.idx"

ITEMS = 200
TURNS = 20


def array_file():
    return Path("b2nd") / "f8-zstd.b2nd"


def places(shape, count):
    """Places in an array, the same on every side."""
    source = numbers()
    return [tuple(next(source) % extent for extent in shape) for _ in range(count)]


class Package:
    """Processes that have the package, one for each number of threads."""

    def __init__(self, data):
        worker = Path(__file__).parent / "package_worker.py"
        self.on = {}
        for threads in THREADS:
            os.environ["RAYON_NUM_THREADS"] = str(threads)
            self.on[threads] = NdBytes([sys.executable, worker, data])
        del os.environ["RAYON_NUM_THREADS"]

    def runner(self, case, threads):
        return self.on[threads].runner(case, threads)

    def close(self):
        for process in self.on.values():
            process.close()


def all_bytes(path):
    """As torchvision reads MNIST: the whole file, and an array over its bytes."""
    return np.frombuffer(path.read_bytes(), np.uint8, offset=IMAGES_OFFSET).reshape(IMAGES)


def of_blosc2(path, threads, work):
    def run():
        return work(blosc2.open(str(path), mode="r", dparams=blosc2.DParams(nthreads=threads)))

    return run


def of_parquet(path, threads):
    def read():
        pa.set_cpu_count(threads)
        return pq.read_table(path, use_threads=threads > 1)

    return once(read)


def section(data, _, arguments):
    rounds, package = arguments.rounds, Package(data)
    images, array, parquet = data / IMAGES_FILE, data / array_file(), data / "bench.parquet"

    def mapped():
        return [np.memmap(images, np.uint8, "r", IMAGES_OFFSET, IMAGES) for _ in range(TURNS)]

    def row(work, case, peers=None, by_threads=None):
        return Row(work, case, peers or {}, by_threads or {}, threads=THREADS, rounds=rounds)

    def from_blosc2(work, turns=1):
        timed = once if turns == 1 else lambda run: averaged(run, turns)
        return {n: {f"python-blosc2 on {n}": timed(of_blosc2(array, n, work))} for n in THREADS}

    def items(opened):
        for place in places(opened.shape, ITEMS):
            opened[place]

    def lines(opened):
        for line, _ in places(opened.shape, TURNS):
            opened[line]

    copies = {
        "idx2numpy": once(idx2numpy.convert_from_file, str(images)),
        "`np.frombuffer` of all bytes, as torchvision": once(all_bytes, images),
        "`np.fromfile`": once(np.fromfile, images, np.uint8),
    }
    rows = [
        row("IDX, 47 MB: an array over the file", "package-idx-view", {"`np.memmap`": averaged(mapped, TURNS)}),
        row("IDX, 47 MB: into memory", "package-idx-copy", copies),
        row("b2nd, 256 MiB, zstd: all", "package-b2nd-whole", by_threads=from_blosc2(lambda opened: opened[...])),
        row("b2nd: open and 200 items", "package-b2nd-item", by_threads=from_blosc2(items, ITEMS)),
        row("b2nd: open and 20 rows", "package-b2nd-row", by_threads=from_blosc2(lines, TURNS)),
        row("b2nd: `[::7, ::5]`", "package-b2nd-strided", by_threads=from_blosc2(lambda opened: opened[::7, ::5])),
    ]
    if (data / "bench_none.idv").exists():
        reader = {n: {f"pyarrow, from Parquet (snappy) on {n}": of_parquet(parquet, n)} for n in THREADS}
        rows += [
            row("IDV, 200,000 rows: `pyarrow.table`", "package-idv-table", by_threads=reader),
            row("IDV, the same, deflated", "package-idv-deflated", by_threads=reader),
        ]
    compare(arguments.chosen(rows), package)
    package.close()
