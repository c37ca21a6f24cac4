"""PCAP by dpkt 1.9.8: files, whether it takes them, and what it reads in them."""

import random
import struct

import dpkt

from shown import shown

SUFFIX = "pcap"
MAGICS = {b"\xa1\xb2\xc3\xd4": ">", b"\xa1\xb2\x3c\x4d": ">", b"\xd4\xc3\xb2\xa1": "<", b"\x4d\x3c\xb2\xa1": "<"}


def make(path, number):
    """A capture by dpkt; every third one in the other byte order, packed by struct."""
    rng = random.Random(number)
    packets = [(rng.randrange(2**31), rng.randrange(10**6), rng.randbytes(rng.randrange(200))) for _ in range(number % 70)]
    if number % 3 == 2:
        header = struct.pack(">IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
        packed = [struct.pack(">IIII", s, f, len(data), len(data) + 9) + data for s, f, data in packets]
        path.write_bytes(header + b"".join(packed))
        return
    with open(path, "wb") as file:
        writer = dpkt.pcap.Writer(file, nano=number % 2 == 0, linktype=dpkt.pcap.DLT_EN10MB)
        for seconds, fraction, data in packets:
            writer.writepkt(data, ts=seconds + fraction / 1e6)


def tiny(path):
    with open(path, "wb") as file:
        dpkt.pcap.Writer(file).writepkt(b"a packet", ts=1.5)


def read(path):
    with open(path, "rb") as file:
        reader = dpkt.pcap.Reader(file)
        values = {"snap_length": reader.snaplen}
        packets = list(reader)
        order = MAGICS[path.read_bytes()[:4]]
    for index, (time, data) in enumerate(packets[:64]):
        values[f"packets[{index}].data"] = shown(data)
        values[f"packets[{index}].seconds"] = int(time)
        values[f"packets[{index}].captured"] = len(data)
    values["major"] = struct.unpack(order + "H", path.read_bytes()[4:6])[0]
    return values
