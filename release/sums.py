"""Writes the SHA-256 of each file of a folder beside it, as `sha256sum --check` reads it. `sha256sum` itself is not on every machine."""

import hashlib
import pathlib
import sys

for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    if path.suffix != ".sha256":
        sums = f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        path.with_name(path.name + ".sha256").write_bytes(sums.encode())
        print(sums, end="")
