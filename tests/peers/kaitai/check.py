"""Compares the byte map of `explain --json` with that of the same file read by Kaitai Struct.

Usage: check.py BINARY COMPILED FILE...

COMPILED is the folder of the parsers that compile.js made of the descriptions in schemas/ksy, with positions.
"""

import enum
import importlib
import io
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from kaitaistruct import KaitaiStream, KaitaiStruct
from tool import Tool, expect, for_each

#: Kaitai's structures that are not fields of the format, only of its description there.
INNER = re.compile(r"^words\.|\.extent$")
#: What Kaitai takes apart and ndbytes shows whole, because an array may be large.
WHOLE = re.compile(r"^(data|payload|deflate)\b.*")
#: How ndbytes numbers gzip members; Kaitai is given files of one member only.
MEMBER = re.compile(r"^(members?)?\[0\]\.")


def kaitai_map(structure):
    """(path, start, end, value) of every field that has bytes, in file order."""
    leaves = []
    collect(structure, "", leaves)
    fields = {}
    for path, start, end, value in leaves:
        path = INNER.sub("", path)
        if WHOLE.match(path):
            path, value = WHOLE.match(path)[1], None
        if path in fields:
            start, value = fields[path][0], None
        if end > start:
            fields[path] = (start, end, value)
    return [(path, *rest) for path, rest in fields.items()]


def collect(structure, prefix, leaves):
    for name, place in structure._debug.items():
        value = getattr(structure, name, None)
        if name.startswith("_m_") or value is None:
            continue
        path = prefix + name
        if "arr" in place:
            parts = [(f"{path}[{i}]", p, v) for i, (p, v) in enumerate(zip(place["arr"], value, strict=True))]
        else:
            parts = [(path, place, value)]
        for path, place, value in parts:
            if isinstance(value, KaitaiStruct):
                collect(value, path + ".", leaves)
            else:
                leaves.append((path, place["start"], place["end"], value))


def number(path, value):
    """A field of bytes as the number that ndbytes takes it for."""
    if isinstance(value, enum.Enum):
        return value.name if path == "element_type" else value.value
    if isinstance(value, bytes):
        return {"zero": 0, "magic": 0x7961727261776172}.get(path, hex_text(value))
    return value


def hex_text(content):
    return content.hex(" ")


def check(tool, path):
    content = path.read_bytes()
    if content[:2] == b"\x1f\x8b":
        parser, space = "gzip_member", 0
    elif content[:2] == b"\0\0":
        parser, space = "idx", 0
    else:
        parser, space = "rawarray", 0
    name = parser.title().replace("_", "")
    structure = getattr(importlib.import_module(parser), name)(KaitaiStream(io.BytesIO(content)))
    structure._read()
    peer = kaitai_map(structure)

    [explained] = tool.json_lines("explain", "--json", path)
    spans = [span for span in explained["spans"] if span["space"] == space and span["length"] > 0]
    ours = [
        (MEMBER.sub("", span["path"]), span["offset"], span["offset"] + span["length"], span["value"]) for span in spans
    ]
    expect("fields", [field[:3] for field in ours], [field[:3] for field in peer])
    for (field, _, _, found), (_, _, _, expected) in zip(ours, peer, strict=True):
        if field != "metadata":
            expect(f"value of {field}", found, number(field, expected))


def main():
    tool, compiled, files = Tool(sys.argv[1]), sys.argv[2], sys.argv[3:]
    sys.path.insert(0, compiled)
    for_each(files, lambda path: check(tool, path))


main()
