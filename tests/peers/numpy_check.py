"""Compares `export`, `cat` and `cat --json` with NumPy, file by file.

Usage: numpy_check.py BINARY FILE...
"""

import json
import math
import sys
import tempfile
from pathlib import Path

import ml_dtypes
import numpy as np
from readers import read
from tool import Disagreement, Tool, expect, for_each

#: NumPy's limit on the number of axes.
MOST_AXES = 64


def check_export(tool, path, array, folder):
    """The exported file is the array: shape, type, order, and the bits of every element."""
    out = folder / "out.npy"
    out.unlink(missing_ok=True)
    if len(array.shape) > MOST_AXES:
        status, _, message = tool.run("export", path, out)
        if status == 0 or out.exists() or "64" not in message:
            raise Disagreement(f"NumPy has no {len(array.shape)} axes, but the file was exported: {message}")
        return
    tool.text("export", path, out)
    with out.open("rb") as file:
        version = np.lib.format.read_magic(file)
        expect("version of the .npy", version, (1, 0))
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
        expect("start of the elements in the .npy, modulo 64", file.tell() % 64, 0)
    expect("shape in the .npy", shape, array.shape)
    expect("Fortran order in the .npy", fortran, array.fortran)
    expect("type in the .npy", dtype, array.dtype)
    loaded = np.load(out, allow_pickle=False)
    expect("shape that NumPy loads", loaded.shape, array.shape)
    order = "F" if array.fortran else "C"
    expect("elements that NumPy loads", loaded.tobytes(order), array.content)
    if loaded.size and loaded.ndim:
        mapped = np.load(out, mmap_mode="r", allow_pickle=False)
        expect("elements that NumPy maps", mapped.tobytes(order), array.content)
    piped = tool_bytes(tool, path)
    expect("export to standard output", piped == out.read_bytes(), True)


def tool_bytes(tool, path):
    """What `export` writes to standard output."""
    import subprocess

    return subprocess.run([tool.binary, "export", str(path), "-"], capture_output=True, check=True).stdout


def values_of(array):
    """The array in a type that NumPy can compute with and print; Python's integers where it has none."""
    values = array.numpy()
    if array.name in ("bfloat16", ">bfloat16"):
        return values.view(ml_dtypes.bfloat16).astype("f4")
    if "complex32" in array.name:
        pair = values["re"].astype("f4"), values["im"].astype("f4")
        whole = np.empty(array.shape, "c8")
        whole.real, whole.imag = pair
        return whole
    if values.dtype.names:
        return values["lo"].astype(object) + values["hi"].astype(object) * (1 << 64)
    return values


def check_cat(tool, path, array):
    """The text is what `print` of the array shows."""
    text = tool.text("cat", path)
    if len(array.shape) > MOST_AXES:
        return
    values = values_of(array)
    if values.dtype == object:
        # NumPy does not align Python's integers.
        expect("cat, word by word", text.replace("[", "").replace("]", "").split(), words_of(values))
    else:
        expect("cat", text, f"{values}\n")


def words_of(values):
    return [str(value) for value in values.ravel(order="C")]


def check_json(tool, path, array):
    """Every value, exactly."""
    found = json.loads(tool.text("cat", "--json", path))
    expect("shape", tuple(found["shape"]), array.shape)
    expect("dtype", found["dtype"], array.name)
    expect("order", found["order"], "F" if array.fortran else "C")
    if len(array.shape) > MOST_AXES:
        return
    # A float of any width is itself in Python's; the text that stands for it in JSON need not be the same.
    values = values_of(array)
    expect("nesting and values", exact(found["values"], values.dtype), nested(values))


def nested(values):
    """The array as nested lists of what `exact` makes of each value."""
    if values.ndim == 0:
        return plain(values[()])
    return [nested(np.asarray(part, values.dtype)) for part in values]


def plain(value):
    if isinstance(value, np.void):
        return value.tobytes().hex()
    if isinstance(value, np.complexfloating):
        return (plain(value.real), plain(value.imag))
    if isinstance(value, np.floating):
        return "nan" if np.isnan(value) else float(value).hex()
    return value.item() if isinstance(value, np.generic) else value


def exact(value, dtype):
    """Nested lists as read from JSON, with floats at the width of the type."""
    kind = dtype.kind
    if kind == "c" and isinstance(value, list) and len(value) == 2 and not any(isinstance(v, list) for v in value):
        real = np.empty(0, dtype).real.dtype
        return tuple(exact(part, real) for part in value)
    if isinstance(value, list):
        return [exact(part, dtype) for part in value]
    if kind == "f":
        number = dtype.type(value)
        return "nan" if math.isnan(number) else float(number).hex()
    return value


def main():
    tool = Tool(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:

        def check(path):
            array = read(path)
            check_export(tool, path, array, Path(folder))
            check_cat(tool, path, array)
            check_json(tool, path, array)

        for_each(sys.argv[2:], check)


main()
