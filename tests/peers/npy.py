"""What the programs about `.npy` share: NumPy's verdict, and arrays that are made up."""

import os
import sys
import warnings

import numpy as np
from tool import expect

# A header may ask for more digits than Python converts, and for what will be an error one day.
warnings.simplefilter("ignore")


def limit_memory():
    """A header may claim terabytes; that has to fail, as it would on a small machine."""
    try:
        import resource
    except ImportError:  # Not on Windows.
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, hard))


def refusal_apart(path, refusal=None):
    """The same in a process of its own: there are files on which the process of a reader ends, or runs out of memory."""
    refusal = refusal or globals()["refusal"]
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if refusal(path) is None else 1)
        finally:  # What reports an error may run out of memory too.
            os._exit(1)
    _, status = os.waitpid(child, 0)
    return None if status == 0 else f"it ended with {status}"


def refusal(path):
    """Why NumPy refuses a file; nothing if it loads it."""
    try:
        np.load(path, allow_pickle=False)
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"
    return None


def refusal_of_archive(path):
    """Why NumPy refuses an `.npz`, or one of its entries."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            for name in archive.files:
                archive[name]
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"
    return None


def compare(ours, theirs):
    """Raises unless two arrays are the same: shape, order, type, and every value to the bit."""
    expect("shape", ours.shape, theirs.shape)
    expect("type", ours.dtype, theirs.dtype)
    expect("Fortran order", ours.flags.fnc, theirs.flags.fnc)
    expect("items", content(ours), content(theirs))


def content(array):
    """The bytes of all plain values, field by field: copies of NumPy do not keep what is between fields."""
    if array.dtype.names is None:
        return array.tobytes()
    return [content(array[name]) for name in array.dtype.names]


# Every plain type that NumPy saves. Sizes of texts and raw bytes are chosen for each array.
PLAIN = [
    *("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "f16", "c8", "c16", "c32"),
    *("S", "U", "V", "M8", "m8"),
]
UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"]


def plain_type(random):
    """A plain type, in one of the two byte orders."""
    name = random.choice(PLAIN)
    order = random.choice("<>")
    if name in "SUV":
        return np.dtype(f"{order}{name}{random.choice([1, 2, 3, 7, 16])}")
    if name in ("M8", "m8"):
        unit = random.choice(UNITS)
        count = random.choice(["", "", "25"])
        return np.dtype(f"{order}{name}" + random.choice(["", f"[{count}{unit}]"]))
    return np.dtype(order + name)


NAMES = ["a", "b", "c", "x y", "quo'te", 'double"', "back\\slash", "é", "日本", "\U0001f600", "tab\t", "f0", "_"]


def any_type(random, depth=0):
    """A type of any kind: plain, or a structure with gaps, subarrays and structures in it."""
    if depth > 2 or random.random() < (0.6 if depth == 0 else 0.8):
        return plain_type(random)
    names = random.sample(NAMES, random.randint(1, 4))
    formats = []
    for _ in names:
        field = any_type(random, depth + 1)
        if random.random() < 0.3:
            field = np.dtype((field, tuple(random.choice([1, 2, 3]) for _ in range(random.randint(1, 2)))))
        formats.append(field)
    style = random.random()
    if style < 0.5:
        return np.dtype(list(zip(names, formats)))
    if style < 0.7:
        return np.dtype(list(zip(names, formats)), align=True)
    if style < 0.8:
        titles = [f"title of {name}" for name in names]
        return np.dtype({"names": names, "formats": formats, "titles": titles})
    offsets, end = [], 0
    for field in formats:
        end += random.choice([0, 0, 1, 5])
        offsets.append(end)
        end += field.itemsize
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": end + random.choice([0, 3])})


def any_array(random):
    """An array of any type, shape and order. Truth values are 0 and 1, all else is any bits."""
    dtype = any_type(random)
    shape = tuple(random.choice([0, 1, 1, 2, 3, 4, 5]) for _ in range(random.choice([0, 1, 1, 2, 2, 3, 4])))
    count = int(np.prod(shape, dtype=np.int64))
    content = bytes(random.getrandbits(8) for _ in range(count * dtype.itemsize))
    if dtype.kind == "b":
        content = bytes(byte & 1 for byte in content)
    array = np.frombuffer(bytearray(content), dtype=dtype, count=count) if dtype.itemsize else np.zeros(count, dtype)
    return array.reshape(shape, order=random.choice("CF"))


if sys.byteorder != "little":
    sys.exit("long doubles are those of x86-64")
