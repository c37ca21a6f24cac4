"""Compares the verdict of profile `reference` with what python-blosc2 does with the same files, and what it reads with
what is converted to `.npy`.

Usage: b2nd_check.py BINARY FILE...
"""

import io
import os
import pickle
import resource
import signal
import sys

# Several threads lose an error that one alone reports (chunk-block-size-split.b2nd). Most machines have several.
os.environ["BLOSC_NTHREADS"] = "2"

import blosc2
import numpy as np
from tool import Tool, expect, for_each

# What a file may cost: a header may claim terabytes.
MEMORY = 6 << 30
SECONDS = 60

# Without a type of its items in the file, python-blosc2 takes them for texts.
WITHOUT_TYPE = ["caterva.b2nd", "no-dtype.b2nd"]

# A single item whose type has fewer bytes: python-blosc2 reads the first ones.
FIRST_BYTES = ["item-size-0d.b2nd"]

# Items that are uninitialised: to us they are zero, python-blosc2 leaves what was there before.
NOT_INITIALISED = ["index-special-entries.b2nd", "special-uninitialised.b2nd"]


def read(path):
    """All items of an array; nothing of what is no array."""
    found = blosc2.open(path)
    if type(found) is blosc2.SChunk and "caterva" in found.meta:
        # This looks for the metalayer `b2nd` alone; the library beneath takes `caterva` too.
        found = blosc2.ndarray_from_cframe(found.to_cframe())
    if type(found) is blosc2.SChunk:
        for chunk in range(found.nchunks):
            found.decompress_chunk(chunk)
    if type(found) is not blosc2.NDArray:
        return None
    # An array without items cannot be asked for them.
    return np.empty(found.shape, found.dtype) if 0 in found.shape else np.asarray(found[...])


def answer(path):
    """Shape, type and bytes of the array, and why it is refused."""
    try:
        array = read(path)
        if array is None:
            return None, None, None, None
        return array.shape, array.dtype, array.tobytes(), None
    except Exception as problem:
        return None, None, None, f"{type(problem).__name__}: {problem}"


def read_apart(path):
    """The array, if it is one, and why it is refused. It is read in a process of its own: to die of it is to refuse it."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
            signal.alarm(SECONDS)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            with os.fdopen(writer, "wb") as pipe:
                pickle.dump(answer(path), pipe)
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        answered = pipe.read()
    _, status = os.waitpid(child, 0)
    if status != 0:
        return None, f"it ended with {os.waitstatus_to_exitcode(status)}"
    shape, dtype, items, why = pickle.loads(answered)
    return (None, why) if items is None else (np.frombuffer(items, dtype).reshape(shape), None)


def parts(array):
    """The bytes of the items, of structures field by field: NumPy does not copy what stands between these."""
    names = array.dtype.names
    return array.tobytes() if names is None else [parts(array[name]) for name in names]


def main():
    tool = Tool(sys.argv[1])
    paths = sys.argv[2:]

    def verdicts(profile):
        reports = tool.json_lines("check", "--json", "--profile", profile, *paths)
        return {report["path"]: report["verdict"] for report in reports}

    reference, strict = verdicts("reference"), verdicts("strict")
    # Here is one thread only, which a process can be made of.
    answers = {path: read_apart(path) for path in paths}

    def check(path):
        array, why = answers[str(path)]
        if reference[str(path)] != "unforeseen":
            expect(f"refused by the reference reader ({why})", reference[str(path)] == "error", why is not None)
        if array is None or strict[str(path)] == "error":
            return
        written = tool.bytes("convert", "--lossy", "--to", "npy", path, "-")
        exported = np.load(io.BytesIO(written), allow_pickle=False)
        expect("shape", exported.shape, array.shape)
        if path.name in WITHOUT_TYPE:
            array = array.view(exported.dtype)
        if path.name in FIRST_BYTES:
            expect("first bytes", exported.tobytes()[: array.nbytes], array.tobytes())
            return
        expect("type", exported.dtype, array.dtype)
        if path.name not in NOT_INITIALISED:
            expect("items", parts(exported), parts(array))

    for_each(paths, check)


if __name__ == "__main__":
    main()
