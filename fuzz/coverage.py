"""Sums up what llvm-cov exports: each folder's lines and regions, and the regions that nothing enters."""

import json
import sys
from collections import defaultdict
from pathlib import Path

#: The folders whose regions are listed: the layouts, the engine, and the library.
LISTED = ("schemas/", "crates/everybyte/", "crates/codecs/", "src/")
#: The most regions that are listed, the largest first, and the fewest lines of one.
MOST, SHORTEST = 40, 3


def main():
    root = str(Path(__file__).resolve().parent.parent) + "/"
    export = json.loads(Path(sys.argv[1]).read_text())["data"][0]
    folders = defaultdict(lambda: [0, 0, 0, 0])
    for file in export["files"]:
        name = file["filename"].removeprefix(root)
        if not name.startswith(LISTED):
            continue
        lines, regions = file["summary"]["lines"], file["summary"]["regions"]
        sums = folders[str(Path(name).parent)]
        for place, count in enumerate((lines["count"], lines["covered"], regions["count"], regions["covered"])):
            sums[place] += count
    print("| folder | lines | covered | regions | covered |\n|---|---:|---:|---:|---:|")
    share = lambda part, whole: f"{100 * part / whole:.1f} %" if whole else "-"
    for name, (lines, covered, regions, entered) in sorted(folders.items()):
        print(f"| `{name}` | {lines} | {share(covered, lines)} | {regions} | {share(entered, regions)} |")

    # A generic function is exported once for each of its types: a region counts if one of them entered it.
    entries = defaultdict(int)
    for function in export["functions"]:
        for first, column, last, end, count, _, _, kind in function["regions"]:
            if kind == 0:
                name = function["filenames"][0].removeprefix(root)
                entries[name, first, column, last, end] += count
    dark = [place for place, count in entries.items() if count == 0 and place[0].startswith(LISTED)]
    dark = [place for place in dark if place[3] - place[1] + 1 >= SHORTEST]
    dark.sort(key=lambda place: place[1] - place[3])
    print("\nThe largest regions that no input enters:\n")
    for name, first, _, last, _ in dark[:MOST]:
        print(f"* {name}:{first}-{last}")


main()
