"""Sums up what llvm-cov exports: the regions of each part and folder, and those that nothing enters."""

import json
import re
import sys
from collections import defaultdict
from pathlib import Path

#: The parts whose regions are summed, and what is of each: the first pattern that fits the path says so.
PARTS = {
    "schemas": r"schemas/src/",
    "mutators": r"crates/everybyte/src/forge|src/forge/",
    "engine": r"crates/everybyte/src/",
    "writers": r"crates/codecs/.*(encode|write|deflate)|src/.*(write|atomic|forge|canonical|repair)",
    "codecs": r"crates/codecs/src/",
    "comparison and text": r"src/(diff|digest|snapshot|stats)/",
    "readers": r"src/",
}
#: The most regions that are listed, the largest first, and the fewest lines of one.
MOST, SHORTEST = 40, 3


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

    parts, folders = defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0])
    for (name, *_), count in entries.items():
        for sums in (parts[part_of(name)], folders[str(Path(name).parent)]):
            sums[0] += 1
            sums[1] += count > 0
    for title, sums in (("part", {part: parts[part] for part in PARTS}), ("folder", dict(sorted(folders.items())))):
        print(f"| {title} | regions | entered | share |\n|---|---:|---:|---:|")
        for name, (regions, entered) in sums.items():
            print(f"| {name} | {regions} | {entered} | {100 * entered / max(regions, 1):.1f} % |")
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
