"""Arrays of every type, both ways: ndbytes reads what NumPy saves, and NumPy loads what ndbytes writes.

Usage: npy_arrays.py save FOLDER COUNT, then npy_arrays.py load FOLDER COUNT. Between them, a test reads every `N.npy` and
writes what it found: `N.items` (all items, in C order), `N.type` (their type), `N.written.npy` and `N.exported.npy`.
"""

import ast
import random as randomness
import sys
from pathlib import Path

import numpy as np
from npy import any_array, compare, content
from tool import expect, for_each


def arrays(folder, count):
    """The same arrays every time, each with its file and the version that it is saved in."""
    random = randomness.Random(2)
    for number in range(count):
        yield folder / f"{number}.npy", any_array(random), random.choice([None, None, (2, 0), (3, 0)])


def save(path, array, version):
    """Saves in the version, or in the one that is needed."""
    with path.open("wb") as file:
        try:
            np.lib.format.write_array(file, array, version, allow_pickle=False)
        except UnicodeEncodeError:
            np.lib.format.write_array(file, array, (3, 0), allow_pickle=False)


def type_of(text):
    """A type out of ndbytes' text for it."""
    return np.dtype(ast.literal_eval(text) if text[0] in "[({" else text)


def main():
    folder, count = Path(sys.argv[2]), int(sys.argv[3])
    saved = {path: (array, version) for path, array, version in arrays(folder, count)}
    if sys.argv[1] == "save":
        for path, (array, version) in saved.items():
            save(path, array, version)
        return

    def check(path):
        array, _ = saved[path]
        stored = np.load(path)
        items, dtype = path.with_suffix(".items").read_bytes(), type_of(path.with_suffix(".type").read_text())
        expect("type", dtype, stored.dtype)
        expect("items", content(np.ndarray(array.shape, dtype, items)), content(array))
        compare(np.load(path.with_suffix(".exported.npy")), stored)
        compare(np.load(path.with_suffix(".written.npy")), stored.copy("C"))

    for_each(list(saved), check)


main()
