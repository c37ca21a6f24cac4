"""Compares `convert`, `cat` and `cat --json` with NumPy, file by file.

Usage: numpy_check.py BINARY FILE...
"""

import json
import sys
import tempfile
from pathlib import Path

import ml_dtypes
import numpy as np
from readers import MOST_AXES, read
from tool import Disagreement, Tool, expect, for_each


def check_convert(tool, path, array, folder):
    """The written file is the array: shape, type, order, and the bits of every element."""
    out = folder / f"{path.name}.npy"
    if len(array.shape) > MOST_AXES:
        status, _, message = tool.run("convert", "--lossy", path, out)
        if status == 0 or out.exists() or "64" not in message:
            raise Disagreement(f"NumPy has no {len(array.shape)} axes, but the file was written: {message}")
        return
    tool.text("convert", "--lossy", path, out)
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
    standard = tool.bytes("convert", "--lossy", "--to", "npy", path, "-")
    expect("the same to standard output", standard == out.read_bytes(), True)


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
        whole = values["lo"].astype(object) + values["hi"].astype(object) * (1 << 64)
        return np.asarray(whole, object)
    return values


def check_cat(tool, path, array):
    """The text is what `print` of the array shows."""
    text = tool.text("cat", path)
    if len(array.shape) > MOST_AXES:
        return
    values = values_of(array)
    expected = str(values) + "\n"
    if values.dtype == object:
        # NumPy does not align Python's integers.
        expect("cat, word by word", words(text), words(expected))
    else:
        expect("cat", text, expected)


def words(text):
    return text.replace("[", " ").replace("]", " ").split()


def check_json(tool, path, array):
    """Every value, exactly: one list, sorted in C order."""
    found = json.loads(tool.text("cat", "--json", path))
    expect("shape", tuple(found["shape"]), array.shape)
    expect("dtype", found["dtype"], array.name)
    expect("order", found["order"], "F" if array.fortran else "C")
    values = values_of(array)
    dtype = values.dtype
    real = np.empty(0, dtype).real.dtype if dtype.kind == "c" else dtype
    expect("values", [from_json(value, real) for value in found["values"]], [exact(value) for value in values.ravel()])


def exact(value):
    """A value in a form that is equal only to itself; NaN to any NaN."""
    if isinstance(value, np.void):
        return value.tobytes().hex()
    if isinstance(value, np.complexfloating):
        return [exact(value.real), exact(value.imag)]
    if isinstance(value, np.floating):
        return "nan" if np.isnan(value) else float(value).hex()
    return value.item() if isinstance(value, np.generic) else value


def from_json(value, dtype):
    """The same form, of a value in JSON. Its text may have fewer digits than the number, so its width counts."""
    if isinstance(value, list):
        return [from_json(part, dtype) for part in value]
    return exact(dtype.type(value)) if dtype.kind == "f" else value


def main():
    tool = Tool(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:

        def check(path):
            array = read(path)
            check_convert(tool, path, array, Path(folder))
            check_cat(tool, path, array)
            check_json(tool, path, array)

        for_each(sys.argv[2:], check)


main()
