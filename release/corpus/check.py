"""Runs a reader on every file of a format: check.py FORMAT COMMAND... A reader accepts a file if it ends with status 0."""
import json, subprocess, sys
from pathlib import Path

folder, wrong = Path(__file__).parent, []
for file in json.loads((folder / "index.json").read_text())["files"]:
    if file["format"] == sys.argv[1] and file["good"] is not None:
        status = subprocess.run([*sys.argv[2:], folder / file["path"]], capture_output=True, timeout=60).returncode
        if status < 0 or (status == 0) != file["good"]:
            wrong.append(f"{file['path']}: status {status}, but findings {[found['rule'] for found in file['strict']]}")
print(*wrong, f"{len(wrong)} disagree", sep="\n")
sys.exit(bool(wrong))
