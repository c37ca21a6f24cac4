"""Asks the reference readers that are written in Python about files, and prints their answers as one JSON object.

Usage: answers.py FILE...

`readers` has the version of each, by format; `answers` has `accepts` or `refuses`, by the path that was given. A reader
that ends on a file refuses it. b2nd arrays, `.npy` and GGUF files are read in processes of their own.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import b2nd_check
import gguf
import idx2numpy_check
import npy
import safetensors
import stores

READERS = {"idx": "idx2numpy", "npy": "numpy", "b2nd": "blosc2", "safetensors": "safetensors", "gguf": "gguf"}


def refusal(path):
    """Why the reader of this format refuses a file; nothing if it reads it."""
    if path.suffix == ".npy":
        return npy.refusal_apart(path)
    if path.suffix == ".npz":
        return npy.refusal_apart(path, npy.refusal_of_archive)
    if path.suffix == ".b2z":
        return stores.refusal_apart(str(path))
    if path.suffix == ".b2nd":
        return b2nd_check.read_apart(str(path))[1]
    if path.suffix == ".safetensors":
        return tensors_refusal(path)
    if path.suffix == ".gguf":
        return npy.refusal_apart(path, gguf_refusal)
    return idx2numpy_check.refusal(path)


def tensors_refusal(path):
    """Why the package safetensors refuses a file. It reads all tensors, whatever their types, which no framework is asked for."""
    try:
        safetensors.deserialize(path.read_bytes())
    except safetensors.SafetensorError as error:
        return str(error)


def gguf_refusal(path):
    """Why the package gguf refuses a file. Its reader has no errors of its own: it fails as its operations do."""
    try:
        gguf.GGUFReader(path)
    except Exception as error:
        return str(error) or type(error).__name__


def main():
    # Arrays of Blosc2 come first: their processes have a limit of their own.
    paths = sorted(map(Path, sys.argv[1:]), key=lambda path: path.suffix not in (".b2nd", ".b2z"))
    answers = {}
    for path in paths:
        if path.suffix not in (".b2nd", ".b2z"):
            npy.limit_memory()
        answers[str(path)] = "accepts" if refusal(path) is None else "refuses"
    readers = {format: version(package) for format, package in READERS.items()}
    print(json.dumps({"readers": readers, "answers": answers}))


main()
