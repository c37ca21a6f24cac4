"""Fuzzes read_idx.py with atheris, along the fields: fuzz_idx.py [FLAG...] FOLDER"""

import ctypes
import sys

import atheris

with atheris.instrument_imports():
    import read_idx

forge = ctypes.CDLL("./libndbytes_forge.so").ndbytes_forge_mutate
forge.restype = ctypes.c_size_t
forge.argtypes = [
    *(ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t),
    *(ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64, ctypes.c_uint32),
]
# Fields that depend on a changed field are recomputed, except one in 16.
REPAIR = 16


def mutate(data, max_size, seed):
    out = ctypes.create_string_buffer(max_size)
    length = forge(b"idx", data, len(data), out, max_size, seed, REPAIR)
    return out.raw[:length] or data


def one(data):
    try:
        read_idx.read(data)
    except ValueError:
        pass  # It is refused, as it should be.


atheris.Setup(sys.argv, one, custom_mutator=mutate)
atheris.Fuzz()
