"""Reads of remote files: ndbytes beside zarr with fsspec and python-blosc2, from one server on this machine.

`run.py FOLDER [--delay SECONDS] [--rounds N] [--write PAGE]`: makes its files in the folder, prints a table, and puts it into a page.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import blosc2
import ndbytes
import numpy as np
import zarr

SHAPE, CHUNK, LARGE = (8192, 4096), (512, 512), (2048, 4096)


def make(folder):
    """The files: one array in chunks of 1 MiB and of 32 MiB, the same as .npy and as Zarr, and a table."""
    if (folder / "table.idv").exists():
        return
    rows, columns = np.mgrid[0 : SHAPE[0], 0 : SHAPE[1]]
    noise = np.random.default_rng(1).normal(scale=0.01, size=SHAPE)
    array = (np.sin(rows / 300) * np.cos(columns / 200) + noise).astype("f4")
    blosc2.asarray(array, chunks=CHUNK, blocks=(128, 128), urlpath=str(folder / "field.b2nd"), mode="w")
    blosc2.asarray(array, chunks=LARGE, blocks=(128, 128), urlpath=str(folder / "large.b2nd"), mode="w")
    np.save(folder / "field.npy", array)
    made = zarr.create_array(str(folder / "field.zarr"), shape=SHAPE, chunks=CHUNK, dtype="f4", overwrite=True)
    made[:] = array
    import pyarrow

    count = 400_000
    rng = np.random.default_rng(2)
    table = {f"x{place}": rng.normal(size=count).astype("f4") for place in range(20)} | {"id": np.arange(count)}
    ndbytes.write_idv(folder / "table.idv", pyarrow.table(table))


#: What is read of an array.
READS = {
    "an item": lambda array: array[4000, 2000],
    "64 × 64 items over four chunks": lambda array: array[4064:4128, 2016:2080],
    "a row": lambda array: array[4000, :],
    "a column": lambda array: array[:, 2000],
    "1024 × 1024 items": lambda array: array[4000:5024, 1000:2024],
}


def openers(base):
    def of_zarr(name):
        store = zarr.storage.FsspecStore.from_url(f"{base}/{name}", read_only=True, storage_options={"asynchronous": True})
        return zarr.open_array(store, mode="r")

    arrays = {
        "ndbytes, b2nd": lambda: ndbytes.open(f"{base}/field.b2nd"),
        "python-blosc2, b2nd": lambda: blosc2.open(f"{base}/field.b2nd", lazy=True),
        "zarr with fsspec": lambda: of_zarr("field.zarr"),
        "ndbytes, b2nd in chunks of 32 MiB": lambda: ndbytes.open(f"{base}/large.b2nd"),
        "python-blosc2, b2nd in chunks of 32 MiB": lambda: blosc2.open(f"{base}/large.b2nd", lazy=True),
        "ndbytes, `.npy`": lambda: ndbytes.open(f"{base}/field.npy"),
    }
    tables = {
        "open": lambda: ndbytes.open(f"{base}/table.idv"),
        "count the rows": lambda: len(ndbytes.open(f"{base}/table.idv")),
        "check the structure": lambda: ndbytes.check(f"{base}/table.idv", depth="structure", no_config=True),
    }
    return arrays, tables


class Counted:
    """Calls that are timed, and whose requests are counted."""

    def __init__(self, base, rounds):
        self.base, self.rounds = base, rounds

    def counts(self):
        with urllib.request.urlopen(f"{self.base}/-/counts") as answer:
            return json.load(answer)

    def cell(self, prepare, work):
        """Milliseconds in the middle of all rounds, requests, and bytes."""
        times = []
        for _ in range(self.rounds):
            prepared = prepare()
            self.counts()
            begun = time.perf_counter()
            work(prepared)
            times.append(1000 * (time.perf_counter() - begun))
            counts = self.counts()
        size = counts["bytes"]
        shown = f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.1f} kB"
        return f"{statistics.median(times):.0f} ms ({min(times):.0f} to {max(times):.0f}), {counts['requests']}, {shown}"


def table(base, rounds):
    arrays, tables = openers(base)
    counted = Counted(base, rounds)
    # The costs of a package's first call, such as its imports, are not measured.
    for opener in arrays.values():
        opener()[0, 0]
    lines = ["| | open | " + " | ".join(READS) + " |", "|---|---|" + "---|" * len(READS)]
    for name, opener in arrays.items():
        cells = [counted.cell(lambda: None, lambda _: opener())]
        cells += [counted.cell(opener, read) for read in READS.values()]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    lines += ["", "| IDV, 35 MB | |", "|---|---|"]
    lines += [f"| {name} | {counted.cell(lambda: None, lambda _: call())} |" for name, call in tables.items()]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--delay", type=float, default=0.05)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    make(given.folder)
    server = [sys.executable, str(Path(__file__).with_name("server.py")), str(given.folder), str(given.delay)]
    with subprocess.Popen(server, stdout=subprocess.PIPE, text=True) as process:
        try:
            base = f"http://127.0.0.1:{process.stdout.readline().strip()}"
            made = table(base, given.rounds)
        finally:
            process.terminate()
    versions = f"python-blosc2 {blosc2.__version__}, zarr {zarr.__version__}"
    words = (
        f"A server on the same machine answers after {1000 * given.delay:.0f} ms, with {versions} on {time.strftime('%Y-%m-%d')}. An array of "
        f"{SHAPE[0]} × {SHAPE[1]} 32-bit numbers (128 MiB) has chunks of {CHUNK[0]} × {CHUNK[1]}. Each cell has the median of "
        f"{given.rounds} rounds with the least and the greatest, the requests, and the bytes of the answers. The load of the machine was "
        f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} processors.\n\n"
    )
    print(words + made)
    if given.write:
        given.write.write_text(words + made + "\n")


if __name__ == "__main__":
    main()
