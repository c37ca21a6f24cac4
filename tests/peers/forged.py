"""Compares the verdicts of ndbytes with those of the reference readers, over a folder of files.

`forged.py NDBYTES FOLDER` takes any folder, such as one that `ndbytes forge --mutate` made. It prints one table: how many
files both accept, neither, or only one of them. `--list` names those that only one accepts. Readers that are not installed
are named and left out. Each file is read by a process of its own, so that a crash or a hang of a reader is one verdict.
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

#: Seconds and bytes that a reader may take for a file.
SECONDS, MEMORY = 20, 2 << 30

#: What reads a file of each format, as a program that fails if it cannot.
READERS = {
    "idx": ("idx2numpy", "import gzip, sys, idx2numpy\nb = open(sys.argv[1], 'rb').read()\n"
            "b = gzip.decompress(b) if b[:2] == b'\\x1f\\x8b' else b\nidx2numpy.convert_from_string(b)"),
    "npy": ("numpy", "import sys, numpy\nnumpy.load(sys.argv[1], allow_pickle=False)"),
    "safetensors": ("safetensors", "import sys, safetensors\nsafetensors.deserialize(open(sys.argv[1], 'rb').read())"),
    "gguf": ("gguf", "import sys, gguf\ngguf.GGUFReader(sys.argv[1])"),
    "b2nd": ("blosc2", "import sys, blosc2\nblosc2.open(sys.argv[1], mode='r')[...]"),
    "rawarray": ("readers", "import sys, pathlib\nsys.path.insert(0, sys.argv[2])\nimport readers\n"
                 "readers.read(pathlib.Path(sys.argv[1])).numpy()"),
}


#: Formats whose reader here is no reference reader: it takes what every writer writes, as profile strict does.
STRICT = {"rawarray"}


def bounded():
    """Bounds the memory of a reader, where the system can."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ImportError, ValueError):
        pass


def accepts(program, path):
    """Whether a reader reads a file; None if it came to no end, or crashed."""
    command = [sys.executable, "-c", program, str(path), str(Path(__file__).resolve().parent)]
    try:
        ended = subprocess.run(command, capture_output=True, timeout=SECONDS, preexec_fn=bounded)
    except subprocess.TimeoutExpired:
        return None
    return ended.returncode == 0 if ended.returncode in (0, 1) else None


def verdict(tool, path, profile="reference"):
    """The format of a file, and whether a profile accepts it; None if there is no verdict. What cannot be opened has no format."""
    command = [tool, "check", "--json", "--profile", profile, str(path)]
    ended = subprocess.run(command, capture_output=True, timeout=SECONDS)
    reports = [json.loads(line) for line in ended.stdout.splitlines()]
    if len(reports) != 1:
        return None, False
    verdict = reports[0]["verdict"]
    return reports[0]["format"], None if verdict == "unforeseen" else verdict != "error"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--list", action="store_true", help="name the files that only one of both accepts")
    asked = parser.parse_args()

    missing = set()
    for name, (module, _) in READERS.items():
        probe = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import {module}"
        if subprocess.run([sys.executable, "-c", probe], capture_output=True).returncode:
            missing.add(name)
            print(f"not compared: {name}, since {module} is not installed", file=sys.stderr)

    counts, differing = {}, []
    for path in sorted(path for path in asked.folder.rglob("*") if path.is_file()):
        name, ours = verdict(asked.tool, path)
        if name in STRICT:
            name, ours = verdict(asked.tool, path, "strict")
        if name not in READERS or name in missing:
            continue
        theirs = accepts(READERS[name][1], path)
        kind = {(True, True): "both", (False, False): "neither", (True, False): "ndbytes only",
                (False, True): "reader only"}.get((ours, theirs), "no verdict")
        counts.setdefault(name, Counter())[kind] += 1
        if kind not in ("both", "neither"):
            differing.append(f"{kind}: {path}")

    kinds = ("both", "neither", "ndbytes only", "reader only", "no verdict")
    print("| format | reader | " + " | ".join(kinds) + " |\n|---|---|" + "---:|" * len(kinds))
    for name, count in sorted(counts.items()):
        print(f"| {name} | {READERS[name][0]} | " + " | ".join(str(count[kind]) for kind in kinds) + " |")
    if asked.list:
        print(*differing, sep="\n")


if __name__ == "__main__":
    main()
