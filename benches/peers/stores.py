"""Conversion between b2nd and Zarr, 1 GiB, beside the ways of zarr-python with python-blosc2: each a process of its own. Processor time of
whole processes, since both have several threads."""

import shutil
import subprocess
import sys
from pathlib import Path

import blosc2
import numpy as np

from data import GIB, temperatures
from measure import Sample, by_turns, duration, launched, mebibytes, print_table, ratio

SHAPE, CHUNKS, BLOCKS = (8192, 16384), (512, 1024), (128, 256)

#: What zarr-python does, in pieces of 64 MiB: as many bytes as a piece of ndbytes has.
WAYS = {
    "to-zarr": """
import sys, blosc2, zarr
source = blosc2.open(sys.argv[1], mode="r")
codec = zarr.codecs.ZstdCodec(level=int(sys.argv[3]))
made = zarr.create_array(sys.argv[2], shape=source.shape, dtype=source.dtype, chunks=source.blocks, shards=source.chunks, compressors=codec)
for row in range(0, source.shape[0], source.chunks[0]):
    made[row:row + source.chunks[0]] = source[row:row + source.chunks[0]]
""",
    "from-zarr": """
import sys, blosc2, zarr
source = zarr.open_array(sys.argv[1], mode="r")
made = blosc2.empty(source.shape, source.dtype, chunks=source.shards, blocks=source.chunks, urlpath=sys.argv[2], mode="w")
for row in range(0, source.shape[0], source.shards[0]):
    made[row:row + source.shards[0]] = source[row:row + source.shards[0]]
""",
}

#: The level of zstd in the chunks that `ndbytes convert` writes, and zarr-python with it.
LEVEL = 3


def make(data):
    """1 GiB of temperatures as b2nd, a row of chunks at a time: one that is written twice would leave bytes that nothing uses."""
    path = data / "gibibyte.b2nd"
    if not path.exists():
        made = blosc2.empty(SHAPE, "f8", chunks=CHUNKS, blocks=BLOCKS, urlpath=str(path), mode="w")
        assert made.schunk.nbytes == GIB
        bands = (degrees.round(2).reshape(-1, SHAPE[1]) for _, degrees in temperatures(SHAPE))
        for row, pair in zip(range(0, SHAPE[0], CHUNKS[0]), zip(bands, bands)):
            made[row : row + CHUNKS[0]] = np.concatenate(pair)
    return path


def stored(path):
    """The bytes of a file, or of all files of a folder."""
    return path.stat().st_size if path.is_file() else sum(each.stat().st_size for each in path.rglob("*") if each.is_file())


def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def process(command, made):
    """A process that makes a file or a folder: its processor time, its memory at its peak, and the bytes of what it made."""

    def run():
        remove(made)
        _, processor, peak = launched(command)
        return Sample(processor, peak, stored(made))

    return run


def section(data, _, arguments):
    source, store = make(data), data / "gibibyte.zarr"
    ours, theirs = data / "by-ndbytes", data / "by-zarr"
    remove(store)
    subprocess.run([arguments.tool, "convert", source, store], check=True)
    lines = []
    for way, (path, kind) in {"to-zarr": (source, "zarr"), "from-zarr": (store, "b2nd")}.items():
        outputs = [folder.with_suffix(f".{kind}") for folder in (ours, theirs)]
        runners = {
            "ndbytes": process([arguments.tool, "convert", path, outputs[0]], outputs[0]),
            "peer": process([sys.executable, "-c", WAYS[way], path, outputs[1], str(LEVEL)], outputs[1]),
        }
        samples = by_turns(runners, arguments.rounds)
        sides = [samples["peer"], samples["ndbytes"]]
        sizes, peaks = ([mebibytes(getattr(side, name)) for side in sides] for name in ("size", "peak"))
        lines.append([way.replace("-", " "), *map(duration, sides), ratio(*sides), *peaks, *sizes])
        for output in outputs:
            remove(output)
    head = ["1 GiB of b2nd", "zarr-python", "ndbytes", "times as fast", "zarr-python's memory", "memory of ndbytes"]
    print_table([*head, "bytes by zarr-python", "bytes by ndbytes"], lines)
