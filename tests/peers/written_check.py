"""Reads files that ndbytes wrote, and compares them with the arrays that went into them.

Usage: written_check.py BINARY MANIFEST

The manifest is a JSON list of objects: `path`, `shape`, `dtype` (as `cat --json` names it), `order` (`C` or `F`: how
`elements` are sorted), `elements` (hexadecimal, in the order and byte order that `dtype` and `order` say).
"""

import gzip
import json
import sys
from pathlib import Path

import idx2numpy
from readers import read
from tool import Tool, expect, for_each


def main():
    tool = Tool(sys.argv[1])
    written = {entry["path"]: entry for entry in json.loads(Path(sys.argv[2]).read_text())}

    def check(path):
        entry = written[str(path)]
        array = read(path)
        expect("shape", tuple(entry["shape"]), array.shape)
        expect("type", entry["dtype"], array.name)
        expect("order", entry["order"], "F" if array.fortran else "C")
        expect("elements", entry["elements"], array.content.hex())
        if not array.fortran and path.suffix != ".gz":
            # The reader of files too, not only of strings.
            expect("elements by idx2numpy", entry["elements"], idx2numpy.convert_from_file(str(path)).tobytes().hex())
        if path.suffix == ".gz":
            with gzip.open(path) as file:
                expect("gzip", len(file.read()) > 0, True)
        [report] = tool.json_lines("check", "--json", path)
        expect("findings", report["findings"], entry["findings"])

    for_each(list(written), check)


main()
