"""Judges files by their own words: lengths, counts, places and checksums of five containers.

Nothing here knows of everybyte or of Kaitai Struct: each parser is written from the format's definition.

    judge.py FORMAT DIR [-v]    prints the number of files, of those that are whole, and the reasons why others are not;
                                with -v, also each file that is not
"""

import collections
import pathlib
import struct
import sys
import zlib


class Broken(Exception):
    """A number that does not agree with the bytes that it is about."""


def need(condition, reason):
    if not condition:
        raise Broken(reason)


def unpack(form, data, at):
    need(0 <= at and at + struct.calcsize(form) <= len(data), "a structure ends beyond the file")
    return struct.unpack_from(form, data, at)


def png(data):
    """Chunks tile the file, and their sums are right."""
    at = 8
    while at < len(data):
        (length,) = unpack(">I", data, at)
        need(at + 12 + length <= len(data), "a chunk ends beyond the file")
        (crc,) = unpack(">I", data, at + 8 + length)
        need(crc == zlib.crc32(data[at + 4 : at + 8 + length]), "the sum of a chunk is wrong")
        at += 12 + length
    need(at == len(data), "bytes stand after the last chunk")


def wav(data):
    """The outer chunk is the file, and inner chunks tile it."""
    (size,) = unpack("<I", data, 4)
    need(size + 8 + size % 2 in (len(data), len(data) + 1), "the size of RIFF is not that of the file")
    riff(data, 12, min(len(data), size + 8))


def riff(data, at, end):
    while at + 8 <= end:
        kind, size = unpack("<4sI", data, at)
        need(at + 8 + size <= end, "a chunk ends beyond the one around it")
        if kind == b"LIST":
            riff(data, at + 12, at + 8 + size)
        at += 8 + size + size % 2
    need(at in (end, end + 1), "bytes stand after the last chunk")


def pcap(data):
    """Packets tile the file, none is longer than the snapshot or than it was on the wire; IPv4 and UDP lengths agree."""
    order = {b"\xd4\xc3\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">", b"\x4d\x3c\xb2\xa1": "<", b"\xa1\xb2\x3c\x4d": ">"}
    need(data[:4] in order, "the magic is unknown")
    order = order[data[:4]]
    snapshot, link = unpack(order + "II", data, 16)
    at = 24
    while at < len(data):
        included, original = unpack(order + "II", data, at + 8)
        need(at + 16 + included <= len(data), "a packet ends beyond the file")
        need(included <= original, "a packet is longer than it was on the wire")
        need(included <= snapshot, "a packet is longer than the snapshot")
        packet = data[at + 16 : at + 16 + included]
        if link == 1 and packet[12:14] == b"\x08\x00" and len(packet) >= 34:
            ipv4(packet[14:])
        at += 16 + included
    need(at == len(data), "bytes stand after the last packet")


def ipv4(packet):
    header = (packet[0] & 15) * 4
    (total,) = unpack(">H", packet, 2)
    need(20 <= header <= total, "an IPv4 header is longer than its packet")
    need(total == len(packet), "the length of an IPv4 packet is not that of its frame")
    if packet[9] == 17:
        need(total >= header + 8, "a UDP header ends beyond its packet")
        (length,) = unpack(">H", packet, header + 4)
        need(length == total - header, "the length of a UDP datagram is not that of its packet")


def zip(data):
    """The directory is where and as long as its end says, with as many entries; each leads to a member of the same numbers."""
    end = data.rfind(b"PK\x05\x06")
    need(end >= 0, "there is no end of the directory")
    here, total, size, offset, comment = unpack("<HHIIH", data, end + 8)
    need(end + 22 + comment == len(data), "the length of the comment is not that of the rest")
    need(offset + size == end, "the directory does not end where its end begins")
    need(here == total, "the two counts of entries differ")
    at, count = offset, 0
    while at < end:
        entry = unpack("<4sHHHHHHIIIHHHHHII", data, at)
        need(entry[0] == b"PK\x01\x02", "an entry of the directory has another signature")
        zip_member(data, entry)
        at += 46 + entry[10] + entry[11] + entry[12]
        zip_extra(data[at - entry[12] - entry[11] : at - entry[12]])
        count += 1
    need(at == end, "an entry ends beyond the directory")
    need(count == total, "the count of entries is wrong")


def zip_extra(extra):
    at = 0
    while at < len(extra):
        _, size = unpack("<HH", extra, at)
        at += 4 + size
    need(at == len(extra), "an extra field ends beyond the others")


def zip_member(data, entry):
    at = entry[16]
    member = unpack("<4sHHHHHIIIHH", data, at)
    need(member[0] == b"PK\x03\x04", "an entry leads to no member")
    need(member[6:9] == entry[7:10], "a member and its entry differ in a sum or a size")
    need(member[9] == entry[10], "a member and its entry differ in the length of the name")
    begin = at + 30 + member[9] + member[10]
    need(begin + member[7] <= len(data), "a member ends beyond the file")
    zip_extra(data[at + 30 + member[9] : begin])
    stored = data[begin : begin + member[7]]
    if member[3] == 0:
        need(member[7] == member[8], "the two sizes of a stored member differ")
        need(zlib.crc32(stored) == member[6], "the sum of a member is wrong")
    if member[3] == 8:
        try:
            content = zlib.decompressobj(-15).decompress(stored)
        except zlib.error:
            raise Broken("a member cannot be inflated") from None
        need(len(content) == member[8] and zlib.crc32(content) == member[6], "the sum of an inflated member is wrong")


def elf(data):
    """Tables and sections stand inside the file, and names inside their table."""
    need(data[:4] == b"\x7fELF", "the magic is wrong")
    need(data[4] in (1, 2) and data[5] in (1, 2), "the class or the byte order is unknown")
    order, is_wide = "<>"[data[5] - 1], data[4] == 2
    head = unpack(order + ("HHIQQQIHHHHHH" if is_wide else "HHIIIIIHHHHHH"), data, 16)
    _, _, _, _, segments, sections, _, own, segment, count, section, number, names = head
    need(own == (64 if is_wide else 52), "the size of the header is wrong")
    need(not count or segment == (56 if is_wide else 32), "the size of a segment's entry is wrong")
    need(not number or section == (64 if is_wide else 40), "the size of a section's entry is wrong")
    for place in range(count):
        entry = unpack(order + ("IIQQQQQQ" if is_wide else "IIIIIIII"), data, segments + place * segment)
        offset, size = (entry[2], entry[5]) if is_wide else (entry[1], entry[4])
        need(offset + size <= len(data), "a segment ends beyond the file")
    table = [
        unpack(order + ("IIQQQQIIQQ" if is_wide else "IIIIIIIIII"), data, sections + place * section)
        for place in range(number)
    ]
    need(not number or names < number, "there is no table of names")
    for entry in table:
        need(entry[1] == 8 or entry[4] + entry[5] <= len(data), "a section ends beyond the file")
        need(not entry[9] or entry[1] in (0, 8) or entry[5] % entry[9] == 0, "a section is no whole number of entries")
        need(entry[0] < max(table[names][5], 1), "a name begins beyond its table")
        need(entry[6] < number, "a section is linked to none")


def main():
    form, folder = sys.argv[1:3]
    judge = {"png": png, "wav": wav, "pcap": pcap, "zip": zip, "elf": elf}[form]
    reasons, files = collections.Counter(), 0
    for path in sorted(pathlib.Path(folder).iterdir()):
        if path.suffix == ".recipe":
            continue
        files += 1
        try:
            judge(path.read_bytes())
        except Broken as broken:
            reasons[str(broken)] += 1
            if "-v" in sys.argv:
                print(path, broken)
    whole = files - sum(reasons.values())
    print(f"{form}: {whole} of {files} whole")
    for reason, count in reasons.most_common():
        print(f"  {count}: {reason}")


if __name__ == "__main__":
    main()
