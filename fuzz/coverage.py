"""Sums up what llvm-cov exports: the regions of each part and folder, and those that nothing enters."""

import json
import re
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path

#: The parts whose regions are summed, and what is of each: the first pattern that fits the path says so. "engine" is what reads
#: and maps; the rest of everybyte describes layouts, compares maps, or prints.
PARTS = {
    "schemas": r"schemas/src/",
    "forge": r"everybyte/src/forge|crates/forge/src/",
    "engine": r"everybyte/src/(fields/|bits|code|error|hook|keys|links|map|role|source|trace|value)",
    "engine: text, comparison": r"everybyte/src/",
    "writers": r"crates/codecs/.*(encode|write|deflate)|src/.*(write|atomic|canonical|repair|any/convert)",
    "codecs": r"crates/codecs/src/",
    "comparison and text": r"crates/compare/src/",
    "readers": r"src/(any|arrays|b2nd|blosc2|bytes|envelope|format|gzip|idv|idx|npy|rawarray|zip)/",
    "types, errors, reports": r"src/",
}
#: The most regions that are listed, the largest first, and the fewest lines of one.
MOST, SHORTEST = 40, 3


def is_passed_on(root, place):
    """Whether a region is the `?` of a call: the way of an error that the call did not have."""
    name, first, column, last, end = place
    return first == last and end == column + 1 and lines_of(root + name)[first - 1][column - 1 : column] == b"?"


@cache
def lines_of(path):
    return Path(path).read_bytes().split(b"\n")


def part_of(name):
    return next((part for part, pattern in PARTS.items() if re.match(pattern, name)), None)


def main():
    root = str(Path(__file__).resolve().parent.parent) + "/"
    export = json.loads(Path(sys.argv[1]).read_text())["data"][0]
    # A generic function is exported once for each of its types: a region counts as entered if one of them entered it.
    entries = defaultdict(int)
    for function in export["functions"]:
        name = function["filenames"][0].removeprefix(root)
        if part_of(name):
            for first, column, last, end, count, file, _, kind in function["regions"]:
                if kind == 0 and file == 0:
                    entries[name, first, column, last, end] += count

    parts, folders = defaultdict(lambda: [0, 0, 0]), defaultdict(lambda: [0, 0, 0])
    for place, count in entries.items():
        name = place[0]
        for sums in (parts[part_of(name)], folders[str(Path(name).parent)]):
            sums[0] += 1
            sums[1] += count > 0
            sums[2] += count == 0 and is_passed_on(root, place)
    for title, sums in (("part", {part: parts[part] for part in PARTS}), ("folder", dict(sorted(folders.items())))):
        print(f"| {title} | regions | entered | share | errors passed on | share without |\n|---|---:|---:|---:|---:|---:|")
        for name, (regions, entered, passed) in sums.items():
            shares = [f"{100 * entered / max(count, 1):.1f} %" for count in (regions, regions - passed)]
            print(f"| {name} | {regions} | {entered} | {shares[0]} | {passed} | {shares[1]} |")
        print()

    dark = sorted(place for place, count in entries.items() if count == 0)
    lines = [f"{name}:{first}:{column}-{last}:{end}\n" for name, first, column, last, end in dark]
    Path(sys.argv[2]).write_text("".join(lines))
    large = [place for place in dark if place[3] - place[1] + 1 >= SHORTEST]
    large.sort(key=lambda place: place[1] - place[3])
    print("The largest regions that no input enters:\n")
    for name, first, _, last, _ in large[:MOST]:
        print(f"* {name}:{first}-{last}")


main()
