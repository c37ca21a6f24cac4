"""Writes small pictures, and a dictionary of the names of chunks: seeds.py FOLDER DICTIONARY."""

import pathlib
import struct
import sys
import zlib

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def chunk(kind, body=b""):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def picture(name, depth, colour, bits, *chunks, side=4):
    """A picture whose pixels have `bits` bits; the chunks stand before its data."""
    row = b"\0" + bytes((37 * at) % 256 for at in range((side * bits + 7) // 8))
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, depth, colour, 0, 0, 0))
    data = chunk(b"IDAT", zlib.compress(row * side))
    whole = b"\x89PNG\r\n\x1a\n" + head + b"".join(chunks) + data + chunk(b"IEND")
    (folder / f"{name}.png").write_bytes(whole)


picture("grey-1", 1, 0, 1)
picture("rgb-8", 8, 2, 24, chunk(b"gAMA", struct.pack(">I", 45455)), chunk(b"tEXt", b"Title\0hello"))
picture("palette-4", 4, 3, 4, chunk(b"PLTE", bytes(range(48))), chunk(b"tRNS", bytes([0, 128, 255])))
picture("rgba-16", 16, 6, 64, chunk(b"pHYs", struct.pack(">IIB", 2835, 2835, 1)))

names = "IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB tEXt zTXt iTXt bKGD hIST pHYs sPLT tIME eXIf oFFs pCAL sCAL".split()
pathlib.Path(sys.argv[2]).write_text("".join(f'"{name}"\n' for name in names))
