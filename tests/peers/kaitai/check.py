"""Compares the byte map of `explain --json` with that of the same file read by Kaitai Struct.

Usage: check.py BINARY COMPILED FILE...

COMPILED is the folder of the parsers that compile.js made of the descriptions in schemas/ksy, with positions.
"""

import enum
import importlib
import io
import re
import sys
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from kaitaistruct import KaitaiStream, KaitaiStruct
from tool import Tool, expect, for_each

#: Kaitai's structures that are not fields of the format, only of its description there.
INNER = re.compile(r"^words\.|\.extent$")
#: What Kaitai may take apart, and ndbytes shows whole because an array may be large.
WHOLE = re.compile(r"^(data|payload)\b")
#: Elements that ndbytes shows as one, because they are many.
RANGE = re.compile(r"(.*)\[(\d+)\.\.(\d+)\]")


def kaitai_map(parser, content, prefix="", offset=0):
    """Path, start, end and value of every field that has bytes, in file order."""
    module = importlib.import_module(parser)
    structure = getattr(module, parser.title().replace("_", ""))(KaitaiStream(io.BytesIO(content)))
    structure._read()
    leaves = []
    collect(structure, "", leaves)
    fields = {}
    for path, start, end, value in leaves:
        path = INNER.sub("", path)
        if whole := WHOLE.match(path):
            path = whole[1]
            start, value = fields.get(path, (start,))[0], None
        if end > start:
            fields[path] = (start, end, value)
    return [(prefix + path, offset + start, offset + end, value) for path, (start, end, value) in fields.items()]


def gzip_maps(content):
    """The fields of every member, and those of the file inside. zlib finds where members end."""
    fields, inflated, start, members = [], b"", 0, 0
    while content[start : start + 2] == b"\x1f\x8b":
        stream = zlib.decompressobj(wbits=31)
        inflated += stream.decompress(content[start:])
        end = len(content) - len(stream.unused_data)
        fields += kaitai_map("gzip_member", content[start:end], f"member[{members}].", start)
        start, members = end, members + 1
    if start < len(content):
        fields.append(("padding", start, len(content), None))
    return [fields, *maps(inflated)]


def maps(content):
    """The fields of each space of a file."""
    match content[:2]:
        case b"\x1f\x8b":
            return gzip_maps(content)
        case b"\0\0":
            return [kaitai_map("idx", content)]
    return [kaitai_map("rawarray", content)]


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


def shown(path, value):
    """A value as ndbytes shows it: enums by name, and as a number what it takes for one."""
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, bytes):
        numbers = {"zero": 0, "magic": int.from_bytes(b"rawarray", "little")}
        return numbers.get(path, value.hex(" "))
    return value


def join(fields, spans):
    """Makes one field of those elements that ndbytes shows as one."""
    for span in spans:
        if run := RANGE.fullmatch(span["path"]):
            paths = [f"{run[1]}[{index}]" for index in range(int(run[2]), int(run[3]))]
            parts = [field for field in fields if field[0] in paths]
            expect(f"elements of {span['path']}", len(paths), len(parts))
            at = fields.index(parts[0])
            fields[at : at + len(parts)] = [(span["path"], parts[0][1], parts[-1][2], None)]
    return fields


def check(tool, path):
    [explained] = tool.json_lines("explain", "--json", path)
    spaces = maps(path.read_bytes())
    expect("spaces", max(span["space"] for span in explained["spans"]) + 1, len(spaces))
    for space, fields in enumerate(spaces):
        spans = [span for span in explained["spans"] if span["space"] == space and span["length"] > 0]
        fields = join(fields, spans)
        places = [(span["path"], span["offset"], span["offset"] + span["length"]) for span in spans]
        expect(f"fields of space {space}", places, [field[:3] for field in fields])
        for span, (field, _, _, value) in zip(spans, fields, strict=True):
            # Of a payload, ndbytes shows no value.
            if span["value"] is not None or not isinstance(value, (bytes, type(None))):
                expect(f"value of {field}", span["value"], shown(field, value))


def main():
    tool, compiled, files = Tool(sys.argv[1]), sys.argv[2], sys.argv[3:]
    sys.path.insert(0, compiled)
    for_each(files, lambda path: check(tool, path))


main()
