"""Tables: IDV beside ML.NET and pyarrow, into memory, as Arrow's batches, as Parquet; and b2nd as `.npy`."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import blosc2
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from measure import THREADS, Row, Sample, compare, once

# Installed by tests/peers/setup.sh.
ML_NET = Path("target/peers/mlnet/idvtool")

# A file system in memory, where nobody waits for a disk.
MEMORY = Path("/dev/shm/peers-bench")


def ml_net(*words):
    """ML.NET's time for a pass of `bench` or `benchwrite`; the first pass of a process, in which it is compiled, does not
    count. The memory is that of the whole process."""
    left = []

    def run():
        if not left:
            process = subprocess.Popen([ML_NET, *words], stdout=subprocess.PIPE, text=True)
            shown = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            if status:
                sys.exit(f"ML.NET failed: {words}")
            times = re.findall(r"^pass \d+ ([\d.]+) s", shown, re.M)
            left.extend(Sample(float(seconds) * 1e9, usage.ru_maxrss << 10) for seconds in times)
        return left.pop()

    return run


def one_after_the_other(first, second):
    def run():
        one, other = first(), second()
        return Sample(one.time + other.time, max(one.peak, other.peak))

    return run


def from_parquet(path, threads):
    def work():
        pa.set_cpu_count(threads)
        return pq.read_table(path, use_threads=threads > 1)

    return once(work)


def to_parquet(table):
    return once(lambda: pq.write_table(table, MEMORY, compression="zstd"))


def to_npy(path, threads):
    def work():
        array = blosc2.open(str(path), mode="r", dparams=blosc2.DParams(nthreads=threads))
        with open(MEMORY, "wb") as file:
            np.save(file, array[...])

    return once(work)


def table_of(path, tool):
    """The table as pyarrow has it, by way of the tool's stream."""
    stream = subprocess.run([tool, "convert", path, "-", "--to", "arrows"], stdout=subprocess.PIPE, check=True).stdout
    return pa.ipc.open_stream(stream).read_all()


def section(data, ndbytes, arguments):
    rounds, peer = arguments.rounds, "ML.NET 1.5"
    rows, parquet = [], data / "bench.parquet"
    for kind, name in (("deflated", "deflate"), ("not compressed", "none")):
        file = data / f"bench_{name}.idv"
        if not file.exists():
            print(f"no rows of IDV: tests/peers/setup.sh installs {peer}, which makes {file}", file=sys.stderr)
            continue
        table = table_of(file, arguments.tool)
        if not parquet.exists():
            pq.write_table(table, parquet)
        idv = f"IDV, {kind}"
        rows += [
            Row(
                f"{idv}, into memory",
                f"idv-{name}-columns",
                {peer: ml_net("bench", file)},
                threads=THREADS,
                rounds=rounds,
            ),
            Row(
                f"{idv}, block by block",
                f"idv-{name}-batches",
                {peer: ml_net("bench", file)},
                threads=THREADS,
                rounds=rounds,
            ),
        ]
        reader = {n: {f"pyarrow, from Parquet (snappy) on {n}": from_parquet(parquet, n)} for n in THREADS}
        rows.append(Row(f"{idv}, as Arrow", f"idv-{name}-arrow", by_threads=reader, threads=THREADS, rounds=rounds))
        both = {"ML.NET's rows, then pyarrow's writer": one_after_the_other(ml_net("bench", file), to_parquet(table))}
        rows.append(Row(f"{idv}, to Parquet (zstd)", f"idv-{name}-parquet", both, threads=THREADS, rounds=rounds))
    array = data / "b2nd" / "f8-zstd.b2nd"
    saved = {n: {f"python-blosc2, `np.save` on {n}": to_npy(array, n)} for n in THREADS}
    decoded = {n: {f"ndbytes, into fresh memory alone on {n}": ndbytes.runner("b2nd-fresh", n)} for n in THREADS}
    work = "b2nd, 256 MiB of f64, zstd, to `.npy`"
    rows.append(Row(work, "b2nd-npy", by_threads=saved, threads=THREADS, rounds=rounds))
    rows.append(Row(f"{work}, the limit of that", "b2nd-npy", by_threads=decoded, threads=THREADS, rounds=rounds))
    compare(arguments.chosen(rows), ndbytes)
    MEMORY.unlink(missing_ok=True)
