"""Reads files that ndbytes wrote, and compares them with the arrays that went into them.

Usage: written_check.py BINARY MANIFEST

The manifest is a JSON list of objects: `path`, `shape`, `dtype` (as `cat --json` names it), `order` (`C` or `F`: how
`elements` are sorted), `elements` (hexadecimal, in the byte order that `dtype` says).
"""

import json
import sys
from pathlib import Path

import idx2numpy
from readers import ENCODED, read
from tool import Tool, expect, for_each


def expected_rules(path, entry):
    """What there is to say against a file although it is right."""
    scalar = not entry["shape"]
    if entry["order"] == "C":
        return {"idx/scalar"} if scalar else set()
    rules = {"rawarray/scalar"} if scalar else set()
    if path.read_bytes()[8] & ENCODED:
        rules.add("rawarray/encoded")
    if entry["dtype"] in ("|b1", "complex32"):
        rules.add("rawarray/disputed-type")
    return rules


def main():
    tool = Tool(sys.argv[1])
    written = {entry["path"]: entry for entry in json.loads(Path(sys.argv[2]).read_text())}
    findings = {report["path"]: report["findings"] for report in tool.json_lines("check", "--json", *written)}

    def check(path):
        entry = written[str(path)]
        array = read(path)
        expect("shape", tuple(entry["shape"]), array.shape)
        expect("type", entry["dtype"], array.name)
        expect("order", entry["order"], "F" if array.fortran else "C")
        expect("elements", entry["elements"], array.content.hex())
        if path.suffix == ".idx":
            # Its reader of files, not only that of strings.
            again = idx2numpy.convert_from_file(str(path))
            expect("elements from the file", entry["elements"], again.tobytes().hex())
        found = {finding["rule"]: finding["severity"] for finding in findings[str(path)]}
        expect("findings", found, dict.fromkeys(expected_rules(path, entry), "warning"))

    for_each(list(written), check)


main()
