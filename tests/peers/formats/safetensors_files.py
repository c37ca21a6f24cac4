"""safetensors by safetensors 0.8.0: files, whether it takes them, and what it reads in them."""

import struct

import numpy
from safetensors.numpy import load, save_file

from shown import shown

SUFFIX = "safetensors"
TYPES = [numpy.float32, numpy.float16, numpy.int8, numpy.int64, numpy.bool_]


def make(path, number):
    rng = numpy.random.default_rng(number)
    shape = lambda index: (number % 4 + 1, index + 1)
    tensors = {f"t{index}": (rng.random(shape(index)) * 9).astype(TYPES[index % 5]) for index in range(number % 9)}
    save_file(tensors, path, metadata={"number": str(number)} if number % 2 else None)


def tiny(path):
    save_file({"two": numpy.array([1, 2], dtype=numpy.int16)}, path)


def read(path):
    content = path.read_bytes()
    tensors = load(content)
    values = {"length": struct.unpack("<Q", content[:8])[0]}
    # The directory is in the order of the tensors.
    start = 8 + values["length"]
    by_place = sorted(tensors.values(), key=lambda tensor: content.find(tensor.tobytes(), start))
    if len({tensor.tobytes() for tensor in by_place}) == len(by_place):
        for index, tensor in enumerate(by_place):
            values[f"tensors[{index}].elements"] = shown(tensor.tobytes())
    values["directory"] = content[8:start].decode()
    return values
