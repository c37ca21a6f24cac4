"""Decodes IDX and RawArray files with nothing of ndbytes: the second opinion on every value."""

import gzip
import struct
from dataclasses import dataclass

import idx2numpy
import lz4.block
import numpy as np

#: NumPy's limit on the number of axes.
MOST_AXES = 64


@dataclass
class Array:
    """A decoded file."""

    shape: tuple
    #: What the element type is called by `ndbytes cat --json`.
    name: str
    #: As NumPy holds the elements; those that it has no type for are structures or raw bytes.
    dtype: np.dtype
    #: Elements in file order, in the byte order of `dtype`.
    content: bytes
    fortran: bool

    def numpy(self):
        """The array, as NumPy has it; of one axis where it has more than NumPy has room for."""
        flat = np.frombuffer(self.content, self.dtype)
        if len(self.shape) > MOST_AXES:
            return flat
        return flat.reshape(self.shape, order="F" if self.fortran else "C")


def read(path):
    """Reads a file of either format, also inside gzip."""
    content = path.read_bytes()
    if content[:2] == b"\x1f\x8b":
        content = gzip.decompress(content)
    if content[:8] in (b"rawarray", b"yarrawar"):
        return read_rawarray(content)
    return read_idx(content)


def read_idx(content):
    """Reads what idx2numpy reads; what has more axes than NumPy is read by hand."""
    if content[3] <= MOST_AXES:
        array = idx2numpy.convert_from_string(content)
        return Array(array.shape, array.dtype.str, array.dtype, array.tobytes(), fortran=False)
    shape = struct.unpack_from(f">{content[3]}I", content, 4)
    dtype = np.dtype({8: "u1", 9: "i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}[content[2]])
    return Array(shape, dtype.str, dtype, content[4 + 4 * content[3] :], fortran=False)


BIG_ENDIAN, ENCODED, BITS = 1, 2, 4


def read_rawarray(content):
    """Reads a file of any of the programs that write RawArray."""
    words = "<" if content[:8] == b"rawarray" else ">"
    flags, eltype, elbyte, size, ndims = struct.unpack_from(words + "5Q", content, 8)
    shape = struct.unpack_from(f"{words}{ndims}Q", content, 48)
    rest = content[48 + 8 * ndims :]
    order = ">" if words == ">" or flags & BIG_ENDIAN else "<"
    count = int(np.prod(np.array(shape, object), dtype=object))
    if flags & BITS:
        chunks = np.frombuffer(rest[:size], order + "u8").astype("<u8")
        bits = np.unpackbits(chunks.view("u1"), bitorder="little")[:count]
        return Array(shape, "bit", np.dtype("?"), bits.tobytes(), fortran=True)
    if flags & ENCODED:
        data = decode(rest, eltype, elbyte, size, count, order)
    else:
        data = rest[:size]
    if len(data) != elbyte * count:
        raise ValueError(f"{len(data)} bytes of data are not {count} elements of {elbyte}")
    name, dtype = element_type(eltype, elbyte, order)
    if name == ">bfloat16":
        data = np.frombuffer(data, ">u2").astype("<u2").tobytes()
    return Array(shape, name, dtype, data, fortran=True)


def decode(rest, eltype, elbyte, size, count, order):
    """Elements that are stored encoded, in the byte order of the file's elements."""
    if size != elbyte * count or eltype == 0:
        return lz4.block.decompress(rest[:size], uncompressed_size=elbyte * count)
    if eltype in (3, 4):
        return rest[:size]
    numbers, at = [], 0
    for _ in range(count):
        number, shift = 0, 0
        while True:
            byte, at = rest[at], at + 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        numbers.append((number >> 1) ^ -(number & 1) if eltype == 1 else number)
    byteorder = "little" if order == "<" else "big"
    return b"".join(n.to_bytes(elbyte, byteorder, signed=eltype == 1) for n in numbers)


def element_type(eltype, elbyte, order):
    """The name of the elements, and the NumPy type that holds them."""
    halves = [("lo", order + "u8"), ("hi", order + ("i8" if eltype == 1 else "u8"))]
    match eltype, elbyte:
        case (1 | 2), 16:
            name = f"{order}{'iu'[eltype - 1]}16"
            return name, np.dtype(halves if order == "<" else halves[::-1])
        case 4, 4:
            name = "complex32" if order == "<" else ">complex32"
            return name, np.dtype([("re", order + "f2"), ("im", order + "f2")])
        case 5, 1:
            return "|b1", np.dtype("?")
        case 5, 2:
            # The numbers become little-endian on export: two raw bytes have no order.
            return ("bfloat16" if order == "<" else ">bfloat16"), np.dtype("V2")
        case (0 | 1 | 2 | 3 | 4), _:
            dtype = np.dtype(f"{order}{'Viufc'[eltype]}{elbyte}")
            return dtype.str, dtype
    raise ValueError(f"no elements of class {eltype} with {elbyte} bytes")
