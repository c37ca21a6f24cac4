"""Compares a reader with ndbytes: agree.py FOLDER COMMAND... Prints the files that only one of them accepts,
and then ends with status 1."""

import json
import subprocess
import sys

done = subprocess.run(["ndbytes", "check", "--json", "--unknown", "error", sys.argv[1]], capture_output=True, text=True, check=False)
disagree = 0
reports = [json.loads(line) for line in done.stdout.splitlines()]
# The forge writes a manifest and recipes beside its files.
reports = [report for report in reports if not report["path"].endswith((".recipe", "manifest.jsonl"))]
for report in reports:
    reader = subprocess.run([*sys.argv[2:], report["path"]], capture_output=True, timeout=60, check=False)
    is_good = report["verdict"] != "error"
    if reader.returncode < 0 or (reader.returncode == 0) != is_good:
        disagree += 1
        rules = [finding["rule"] for finding in report["findings"]]
        print(f"{report['path']}: status {reader.returncode}, but {report['verdict']} {rules}")
print(f"{len(reports)} files, {disagree} disagree")
sys.exit(bool(disagree))
