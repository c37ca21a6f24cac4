"""Fuzzes read_idx.py without an engine: loop.py FOLDER. Prints what it raises that is no ValueError."""

import sys
from pathlib import Path

import read_idx

files = sorted(path for path in Path(sys.argv[1]).rglob("*") if path.is_file())
raised = 0
for path in files:
    try:
        read_idx.read(path.read_bytes())
    except ValueError:
        pass  # It is refused, as it should be.
    except Exception as problem:
        raised += 1
        print(f"{path}: {type(problem).__name__}: {problem}")
print(f"{len(files)} files, {raised} mistakes")
sys.exit(bool(raised))
