"""Reads b2nd arrays with python-blosc2, and prints what it finds: one JSON object per line.

Usage: b2nd_read.py [--extend] [FILE...]

Without files, their paths are read from the standard input, one a line. Of each file:

`path`, `shape`, `dtype` (as the metalayer has it), `chunks`, `blocks`, `codec`, `level`, `meta` and `vlmeta` (by name; bytes
are objects with the key `bytes`, in hexadecimal), `items` (hexadecimal, in C order); or `path` and `refused`.

With `--extend`, each array is extended first: half a chunk more along the first axis, filled with copies of the array's
first row, and an attribute `extended`. What is printed is what a second look at the file finds.
"""

import json
import sys

import blosc2
import numpy as np


def plain(value):
    """A value of msgpack as JSON has it."""
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def extend(path):
    array = blosc2.open(path, mode="a")
    rows = max(1, array.chunks[0] // 2)
    before = array.shape[0]
    # Without its first axis, an array has no first row to copy.
    first = np.asarray(array[:1]).tobytes()
    array.resize((before + rows, *array.shape[1:]))
    added = np.frombuffer(first * rows, array.dtype).reshape((rows, *array.shape[1:]))
    array[before:] = added
    array.schunk.vlmeta["extended"] = rows


def items(array):
    if 0 in array.shape:
        return b""
    return np.asarray(array[...]).tobytes()


def describe(path):
    array = blosc2.open(path)
    dtype = np.dtype(array.dtype)
    return {
        "shape": list(array.shape),
        "dtype": dtype.str if dtype.fields is None else str(dtype),
        "chunks": list(array.chunks),
        "blocks": list(array.blocks),
        "codec": array.schunk.cparams.codec.value,
        "level": array.schunk.cparams.clevel,
        "meta": {name: plain(array.schunk.meta[name]) for name in array.schunk.meta if name != "b2nd"},
        "vlmeta": {name: plain(value) for name, value in array.schunk.vlmeta.getall().items()},
        "items": items(array).hex(),
    }


def main():
    arguments = sys.argv[1:]
    extends = arguments[:1] == ["--extend"]
    paths = arguments[extends:] or sys.stdin.read().splitlines()
    for path in paths:
        try:
            if extends:
                extend(path)
            found = describe(path)
        except Exception as problem:
            found = {"refused": f"{type(problem).__name__}: {problem}"}
        print(json.dumps({"path": path, **found}), flush=True)


main()
