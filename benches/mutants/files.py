"""Writes a picture, a sound, a capture and an archive of about 100 KB each: files.py FOLDER."""

import pathlib
import random
import struct
import sys
import zipfile
import zlib

folder = pathlib.Path(sys.argv[1])
random.seed(5)


def text(length):
    return bytes(random.choice(b"abcdefghij \n") for _ in range(length))


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


with zipfile.ZipFile(folder / "a.zip", "w") as archive:
    for number in range(12):
        member = zipfile.ZipInfo(f"dir/file{number:02}.txt", (2024, 1, 2, 3, 4, 6))
        archive.writestr(member, text(8000), zipfile.ZIP_DEFLATED if number % 2 else zipfile.ZIP_STORED)

packets = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)]
for number in range(150):
    body = text(600 + number)
    datagram = struct.pack(">HHHH", 1000 + number, 53000, 8 + len(body), 0) + body
    addresses = b"\n\0\0\1", b"\n\0\0\2"
    packet = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(datagram), number, 0, 64, 17, 0, *addresses) + datagram
    frame = b"\2" * 6 + b"\4" * 6 + b"\x08\x00" + packet
    packets.append(struct.pack("<IIII", 1_700_000_000 + number, number * 7, len(frame), len(frame)) + frame)
(folder / "a.pcap").write_bytes(b"".join(packets))

sound = text(100_000)
form = struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16)
parts = b"WAVEfmt " + form + b"data" + struct.pack("<I", len(sound)) + sound
(folder / "a.wav").write_bytes(b"RIFF" + struct.pack("<I", len(parts)) + parts)

side = 180
rows = b"".join(b"\0" + bytes(random.randrange(256) for _ in range(side * 3)) for _ in range(side))
packed = zlib.compress(rows, 6)
chunks = [
    chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)),
    chunk(b"gAMA", struct.pack(">I", 45455)),
    chunk(b"tEXt", b"Title\0hello"),
    *(chunk(b"IDAT", packed[start : start + 8192]) for start in range(0, len(packed), 8192)),
    chunk(b"IEND", b""),
]
(folder / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))
