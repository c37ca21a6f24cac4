"""IDX and RawArray, beside NumPy and the crate rawarray."""

import random
import time

import numpy as np

from data import F32, F32_BIG_ENDIAN, IMAGES
from measure import THREADS, Row, compare, once, watched

REPEATED = 200
VIEWS = 20_000

IMAGES_OFFSET = 16
F32_OFFSET = 64
F32_BIG_ENDIAN_OFFSET = 12


# The ways NumPy has to get at an array. Each gets a path and gives an array; what it takes for granted (type, shape,
# where the data begin) ndbytes reads from the header and checks.


def memmap(path, dtype, offset, shape):
    return np.memmap(path, dtype, "r", offset, shape)


def fromfile(path, dtype, offset, shape):
    return np.fromfile(path, dtype, int(np.prod(shape)), offset=offset).reshape(shape)


def readinto(path, dtype, offset, shape):
    return fill(np.empty(shape, dtype), path, offset)


def memmap_copy(path, dtype, offset, shape):
    return np.array(np.memmap(path, dtype, "r", offset, shape), copy=True, subok=False)


def frombuffer_copy(path, dtype, offset, shape):
    with open(path, "rb", buffering=0) as file:
        return np.frombuffer(file.read(), dtype, offset=offset).reshape(shape).copy()


def fill(array, path, offset):
    with open(path, "rb", buffering=0) as file:
        file.seek(offset)
        rest = memoryview(array).cast("B")
        while rest:
            rest = rest[file.readinto(rest) :]
    return array


LOADS = {
    "`np.fromfile`": fromfile,
    "`readinto` a fresh `np.empty`": readinto,
    "copy of an `np.memmap`": memmap_copy,
    "copy of `np.frombuffer`": frombuffer_copy,
}


def touched(path, dtype, offset, shape):
    """The ways into memory that was written to before, in the byte order of this machine."""
    memory = np.ones(shape, np.dtype(dtype).newbyteorder("="))
    swapped = np.dtype(dtype).newbyteorder("=") != np.dtype(dtype)

    def read():
        fill(memory, path, offset)
        return memory.byteswap(inplace=True) if swapped else memory

    def mapped():
        np.copyto(memory, np.memmap(path, dtype, "r", offset, shape))

    return {"`readinto`": once(read), "`np.copyto` from an `np.memmap`": once(mapped)}


def swapped_in_place(load):
    def work(*arguments):
        array = load(*arguments).byteswap(inplace=True)
        return array.view(array.dtype.newbyteorder())

    return work


def converted(load):
    def work(*arguments):
        array = load(*arguments)
        return array.astype(array.dtype.newbyteorder())

    return work


LOADS_BIG_ENDIAN = {
    "`np.fromfile`, then `byteswap(inplace=True)`": swapped_in_place(fromfile),
    "`np.fromfile`, then `astype`": converted(fromfile),
    "`readinto` a fresh `np.empty`, then `byteswap(inplace=True)`": swapped_in_place(readinto),
    "`np.memmap`, then `astype`": converted(memmap),
}


def opened(*arguments):
    def run():
        start = time.perf_counter_ns()
        for _ in range(REPEATED):
            memmap(*arguments)
        return (time.perf_counter_ns() - start) / REPEATED

    return watched(run)


def viewed(*arguments):
    array = memmap(*arguments)
    indices = [random.randrange(len(array)) for _ in range(VIEWS)]

    def run():
        start = time.perf_counter_ns()
        for index in indices:
            array[index]
        return (time.perf_counter_ns() - start) / VIEWS

    return watched(run)


def section(data, ndbytes, arguments):
    images = (data / "u8.idx", "u1", IMAGES_OFFSET, IMAGES)
    f32 = (data / "f32.ra", "<f4", F32_OFFSET, F32)
    big_endian = (data / "f32-be.idx", ">f4", F32_BIG_ENDIAN_OFFSET, F32_BIG_ENDIAN)
    rounds = arguments.rounds

    def loads(ways, file):
        return {name: once(work, *file) for name, work in ways.items()}

    opened_by, viewed_by, crate = "`np.memmap`", "`np.memmap`, indexed", "crate `rawarray` 0.1.4"
    small, large = "IDX, 47 MB of u8", "IDX, 256 MiB of big-endian f32"
    rows = [
        Row("IDX, 47 MB: open, check, view", "open-u8", {opened_by: opened(*images)}),
        Row("RawArray, 512 MiB: open, check, view", "open-f32", {opened_by: opened(*f32)}),
        Row("IDX: view of a random item", "item-u8", {viewed_by: viewed(*images)}),
        Row("RawArray: view of a random row", "item-f32", {viewed_by: viewed(*f32)}),
        Row(f"{small}, into fresh memory", "load-u8", loads(LOADS, images), threads=THREADS, rounds=2 * rounds),
        Row(
            f"{small}, into memory used again", "load-u8-touched", touched(*images), threads=THREADS, rounds=2 * rounds
        ),
        Row(
            "RawArray, 512 MiB of f32, into fresh memory", "load-f32", loads(LOADS, f32), threads=THREADS, rounds=rounds
        ),
        Row(
            f"{large}, into fresh memory",
            "load-f32-be",
            loads(LOADS_BIG_ENDIAN, big_endian),
            threads=THREADS,
            rounds=rounds,
        ),
        Row(
            f"{large}, into memory used again",
            "load-f32-be-touched",
            touched(*big_endian),
            threads=THREADS,
            rounds=rounds,
        ),
        Row(
            "RawArray, 512 MiB of f32, into fresh memory",
            "load-f32",
            {crate: ndbytes.runner("load-f32-crate", 1)},
            threads=THREADS,
            rounds=rounds,
        ),
    ]
    compare(arguments.chosen(rows), ndbytes, arguments.all_ways)
