"""Asks the reference readers that are written in Python about files, and prints their answers as one JSON object.

Usage: answers.py FILE...

`readers` has the version of each, by format; `answers` has `accepts` or `refuses`, by the path that was given. A reader
that ends on a file refuses it. b2nd arrays and `.npy` files are read in processes of their own.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import b2nd_check
import idx2numpy_check
import npy

READERS = {"idx": "idx2numpy", "npy": "numpy", "b2nd": "blosc2"}


def refusal(path):
    """Why the reader of this format refuses a file; nothing if it reads it."""
    if path.suffix == ".npy":
        return npy.refusal_apart(path)
    if path.suffix == ".b2nd":
        return b2nd_check.read_apart(str(path))[1]
    return idx2numpy_check.refusal(path)


def main():
    # Arrays of Blosc2 come first: their processes have a limit of their own.
    paths = sorted(map(Path, sys.argv[1:]), key=lambda path: path.suffix != ".b2nd")
    answers = {}
    for path in paths:
        if path.suffix != ".b2nd":
            npy.limit_memory()
        answers[str(path)] = "accepts" if refusal(path) is None else "refuses"
    readers = {format: version(package) for format, package in READERS.items()}
    print(json.dumps({"readers": readers, "answers": answers}))


main()
