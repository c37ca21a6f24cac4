"""Packs the corpus as a product: files, recipes, verdicts and an index, in one archive that is the same on every machine.

Usage: corpus.py [--tool PATH] OUT.zip

The index is described in release/corpus/README.md, which lies in the archive. Entries are stored, since compressors differ
between machines; their times are fixed, and their order is that of their names. It ends with status 1 if a rule has no
file and no reason, or if the tool says something else than a recipe.
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
TESTS = PROJECT / "tests"

# Files that their recipes assemble to, each with its recipe beside it.
ASSEMBLED = PROJECT / "target"
FORMATS = {
    ".idx": "idx",
    ".gz": "idx",
    ".ra": "rawarray",
    ".idv": "idv",
    ".b2nd": "b2nd",
    ".npy": "npy",
    ".safetensors": "safetensors",
    ".gguf": "gguf",
}

# Archives and stores have no format of their own: `format` is that of the envelope.
ENVELOPES = {".zip": "zip", ".b2z": "zip"}

# Rules without a file in the archive.
NAME = "It is about the name of a file, and each file of the archive has a name that suits it."
CONTRACT = "It is about the contract of a project: no file breaks it on its own."
NOT_INCLUDED = {
    "b2nd/linked-file": "A file breaks it only by being a symbolic link, which not every archiver keeps or makes.",
    "changed": "It is about a file and its seal: no file breaks it on its own.",
    "contract/type": CONTRACT,
    "contract/shape": CONTRACT,
    "contract/range": CONTRACT,
    "contract/pair": CONTRACT,
    "gzip/name-mismatch": NAME,
    "zip/store": "It is about a store of python-blosc2, whose entries are files of the corpus themselves.",
    "idx/name-mismatch": NAME,
    "idx/pair-length": "It is about two files of one folder.",
    "misnamed": NAME,
}


def root(path):
    """The folder that a path of the archive is below."""
    return ASSEMBLED if path.parts[0] == "corpus" else TESTS


def known(path):
    """The format of a file by its name, or of its envelope; nothing of all else."""
    return FORMATS.get(path.suffix) or ENVELOPES.get(path.suffix)


def samples():
    """Files and folders that the index lists, in the order of their names."""
    found = []
    for folder, pattern in [(ASSEMBLED, "corpus/*/*/*"), (TESTS, "frozen/*/*/*")]:
        for path in sorted(folder.glob(pattern)):
            # A store that is a folder is a tree of files; the same stores are there as archives.
            if known(path) and (path.is_file() or path.suffix == ".b2nd"):
                found.append(path.relative_to(folder))
    return found


def parts(sample):
    """The files that a sample consists of."""
    whole = root(sample) / sample
    files = sorted(path for path in whole.rglob("*") if path.is_file()) if whole.is_dir() else [whole]
    return [path.relative_to(root(sample)) for path in files]


def recipe(sample):
    """The recipe of a sample; nothing of what a real writer wrote."""
    path = sample.parent / f"{sample.name.split('.')[0]}.recipe"
    return path if (root(path) / path).exists() else None


def values(sample):
    """What a real writer had in memory, as a file beside its own."""
    candidates = [sample.with_suffix(".npy"), sample.with_name(f"{sample.name}.json")]
    return next((path for path in candidates if path != sample and (root(path) / path).exists()), None)


def expected(sample):
    """The findings that the recipe states, by profile, and the memory that it grants."""
    header = (ASSEMBLED / recipe(sample)).read_text().split("\n---\n")[0]
    keys = dict(re.findall(r"^(strict|reference|memory): *(.*)$", header, re.MULTILINE))
    listed = {}
    for profile in ("strict", "reference"):
        pairs = [] if keys[profile] == "clean" else [item.split() for item in keys[profile].split(",")]
        listed[profile] = sorted(((rule, severity) for severity, rule in pairs))
    return listed, int(keys["memory"]) if "memory" in keys else None


def findings(tool, profile, folder, paths, memory):
    """The findings of the tool, by sample of a folder. Those of members are findings of their archive."""
    if not paths:
        return {}
    command = [tool, "check", "--json", "--unknown", "error", "--profile", profile]
    command += ["--max-memory", str(memory)] if memory else []
    done = subprocess.run([*command, *(path.as_posix() for path in paths)], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{done.stderr}{' '.join(command)} ended with {done.returncode}")
    found = {path.as_posix(): [] for path in paths}
    for report in map(json.loads, done.stdout.splitlines()):
        owner = report["path"].replace("\\", "/").split("!")[0]
        found[owner] += [(finding["rule"], finding["severity"]) for finding in report["findings"]]
    return {path: sorted(those) for path, those in found.items()}


def sha256(sample):
    """The sum of a file; of a folder, that of the lines that `sha256sum *` prints in it."""
    sums = [(path.name, hashlib.sha256((root(path) / path).read_bytes()).hexdigest()) for path in parts(sample)]
    if not (root(sample) / sample).is_dir():
        return sums[0][1]
    return hashlib.sha256("".join(f"{digest}  {name}\n" for name, digest in sums).encode()).hexdigest()


def is_good(errors, own):
    """Whether a file is good. That is open if only limits of ndbytes itself are in its way, which `own` lists."""
    return None if errors and own.issuperset(errors) else not errors


def index(tool):
    """The index as text: JSON, with a line for each file."""
    answers = json.loads((TESTS / "peers/answers.json").read_text())
    listed = samples()
    stated = {sample.as_posix(): expected(sample) for sample in listed if recipe(sample)}
    granted = {path: memory for path, (_, memory) in stated.items()}
    found = {}
    for profile in ("strict", "reference"):
        found[profile] = {}
        for memory in sorted({None, *granted.values()}, key=lambda memory: memory or 0):
            for folder in (ASSEMBLED, TESTS):
                paths = [path for path in listed if granted.get(path.as_posix()) == memory and root(path) == folder]
                found[profile] |= findings(tool, profile, folder, paths, memory)
    rules = [json.loads(line) for line in run(tool, "rules", "--json").splitlines()]
    own = {rule["id"] for rule in rules if rule["severity"] and not rule["reference"]}
    lines = []
    for sample in listed:
        path = sample.as_posix()
        for profile in ("strict", "reference"):
            if path in stated and stated[path][0][profile] != found[profile][path]:
                sys.exit(f"{path}, {profile}: {found[profile][path]}, but the recipe says {stated[path][0][profile]}")
        # A rule that is broken in several places is listed once.
        by_profile = {
            profile: [{"rule": rule, "severity": severity} for rule, severity in sorted(set(found[profile][path]))]
            for profile in found
        }
        entry = {
            "path": path,
            "format": known(sample),
            "sha256": sha256(sample),
            "folder": (root(sample) / sample).is_dir(),
            "good": is_good([rule for rule, severity in found["strict"][path] if severity == "error"], own),
            **by_profile,
            "reader": answers["answers"].get(path),
            "origin": "recipe" if path in stated else "writer",
            "recipe": recipe(sample).as_posix() if path in stated else None,
            "values": values(sample).as_posix() if values(sample) else None,
            "memory": granted.get(path),
        }
        lines.append(json.dumps(entry, separators=(",", ":")))
    broken = {rule for profile in found.values() for those in profile.values() for rule, _ in those}
    ids = [rule["id"] for rule in rules]
    missing = [rule for rule in ids if rule not in broken and rule not in NOT_INCLUDED]
    idle = sorted(broken & NOT_INCLUDED.keys())
    if missing or idle:
        sys.exit(f"no file breaks {missing}; left out without need: {idle}")
    head = {
        "version": 1,
        "tool": run(tool, "--version").splitlines()[0],
        "readers": answers["readers"],
        "rules": ids,
        "not_included": [{"rule": rule, "reason": reason} for rule, reason in sorted(NOT_INCLUDED.items())],
    }
    # The lines of the files are inside of the object's last key.
    return json.dumps(head, separators=(",", ":"))[:-1] + ',"files":[\n' + ",\n".join(lines) + "\n]}\n"


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def contents(tool):
    """The files of the archive: their names in it, and their bytes."""
    files = {
        "README.md": (PROJECT / "release/corpus/README.md").read_bytes(),
        "LICENSE-MIT": (PROJECT / "LICENSE-MIT").read_bytes(),
        "LICENSE-APACHE": (PROJECT / "LICENSE-APACHE").read_bytes(),
        "index.json": index(tool).encode(),
        "check.py": (PROJECT / "release/corpus/check.py").read_bytes(),
    }
    for sample in samples():
        beside = [path for path in (recipe(sample), values(sample)) if path]
        for path in [*parts(sample), *beside]:
            files[path.as_posix()] = (root(path) / path).read_bytes()
    for folder in ("corpus", "frozen"):
        files[f"{folder}/README.md"] = (TESTS / folder / "README.md").read_bytes()
    return files


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--tool", default=PROJECT / "target/release/ndbytes", type=Path, help="the built ndbytes")
    arguments.add_argument("out", type=Path)
    options = arguments.parse_args()
    subprocess.run([TESTS / "assemble.sh"], check=True)
    files = contents(str(options.tool.resolve()))
    with zipfile.ZipFile(options.out, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"ndbytes-corpus/{name}", (1980, 1, 1, 0, 0, 0))
            # The same on Windows, which would state another system and no permissions.
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, files[name])
    digest = hashlib.sha256(options.out.read_bytes()).hexdigest()
    print(f"{digest}  {options.out.name}")


main()
