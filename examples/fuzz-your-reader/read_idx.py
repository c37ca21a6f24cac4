"""A small reader of IDX, to be fuzzed. `read_idx.py FILE` ends with status 0 if the file is whole, else with 1."""

import math
import struct
import sys

# The element types: their code, and their name for `struct`.
TYPES = {0x08: "B", 0x09: "b", 0x0B: "h", 0x0C: "i", 0x0D: "f", 0x0E: "d"}


def read(data):
    """The shape and the values of an array. What is no whole file is a ValueError."""
    if len(data) < 4 or data[:2] != b"\0\0" or data[2] not in TYPES:
        raise ValueError("the file does not begin like IDX")
    axes, start = data[3], 4 + 4 * data[3]
    if len(data) < start:
        raise ValueError("the dimensions are cut off")
    shape = struct.unpack(f">{axes}I", data[4:start])
    width = struct.calcsize(f">{TYPES[data[2]]}")
    # Readers that multiply with a fixed width may get a wrong length, even where a dimension is zero.
    if math.prod(extent for extent in shape if extent) * width >= 1 << 63:
        raise ValueError("the dimensions are too large")
    count = math.prod(shape)
    if len(data) - start != count * width:
        raise ValueError("the values are not as long as the dimensions say")
    return shape, struct.unpack(f">{count}{TYPES[data[2]]}", data[start:])


if __name__ == "__main__":
    try:
        with open(sys.argv[1], "rb") as file:
            read(file.read())
    except ValueError as problem:
        sys.exit(str(problem))
