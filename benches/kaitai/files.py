"""Writes a capture of packets and a catalogue of messages of some megabytes: files.py FOLDER."""

import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])

packets = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)]
for number in range(20_000):
    text = bytes((number * 7 + place) % 251 for place in range(60 + number % 300))
    datagram = struct.pack(">HHHH", 1024 + number % 1000, 53, 8 + len(text), 0) + text
    packet = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(datagram), number % 65536, 0, 64, 17, 0, b"\n\0\0\1", b"\n\0\0\2")
    frame = b"\2\0\0\0\0\1" + b"\2\0\0\0\0\2" + b"\x08\x00" + packet + datagram
    packets.append(struct.pack("<IIII", 1_700_000_000 + number, number, len(frame), len(frame)) + frame)
(folder / "packets.pcap").write_bytes(b"".join(packets))

count, buckets = 30_000, 40_009
originals = [b"message %05d" % number for number in range(count)]
translations = [b"Nachricht Nummer %05d, etwas laenger" % number for number in range(count)]
tables, texts, at = [], [], 28 + 16 * count + 4 * buckets
for list_of in (originals, translations):
    for text in list_of:
        tables.append(struct.pack("<II", len(text), at))
        texts.append(text + b"\0")
        at += len(text) + 1
head = struct.pack("<IHHIIIII", 0x950412DE, 0, 0, count, 28, 28 + 8 * count, buckets, 28 + 16 * count)
# Every other bucket has a message.
hashes = struct.pack(f"<{buckets}I", *(number // 2 + 1 if number % 2 and number // 2 < count else 0 for number in range(buckets)))
(folder / "messages.mo").write_bytes(head + b"".join(tables) + hashes + b"".join(texts))
