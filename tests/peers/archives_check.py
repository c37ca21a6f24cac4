"""Reads archives and gzip files by Python's own modules, by Info-ZIP's unzip and by gzip.

`archives_check.py FILE...` prints one JSON object: for each reader, the number of files that it was asked about, and the names of those
that it refuses. A program that is not installed is left out.
"""

import gzip
import json
import shutil
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path


def by_zipfile(path):
    """Whether `zipfile` reads every member."""
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.testzip() is None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError):
        return False


def by_gzip(path):
    """Whether `gzip` reads all members."""
    try:
        with gzip.open(path) as content:
            content.read()
        return True
    except (gzip.BadGzipFile, zlib.error, EOFError):
        return False


def by_gzip_itself(path):
    """Whether the program gzip reads all members."""
    return subprocess.run(["gzip", "-tq", path], capture_output=True, check=False).returncode == 0


def by_unzip(path):
    """Whether unzip reads every member.

    Status 1 is a warning, such as that of names in UTF-8 beside a field of zip64; members that are skipped have it, too.
    """
    ended = subprocess.run(["unzip", "-tqq", path], capture_output=True, check=False)
    return ended.returncode == 0 or ended.returncode == 1 and b"skipp" not in ended.stdout + ended.stderr


READERS = {
    ".zip": {"zipfile": by_zipfile, "unzip": by_unzip},
    ".gz": {"gzip (Python)": by_gzip, "gzip": by_gzip_itself},
}


def main():
    answers = {}
    for path in map(Path, sys.argv[1:]):
        for name, accepts in READERS[path.suffix].items():
            if name in ("unzip", "gzip") and shutil.which(name) is None:
                continue
            answer = answers.setdefault(name, {"asked": 0, "refused": []})
            answer["asked"] += 1
            if not accepts(path):
                answer["refused"].append(path.name)
    print(json.dumps(answers))


main()
