"""Compares the verdict of profile `reference` with what NumPy does, and the arrays that both make of the same files.

Usage: npy_check.py BINARY FILE...
"""

import io
import sys

import numpy as np
from npy import compare, limit_memory, refusal
from tool import Tool, expect, for_each


def main():
    tool = Tool(sys.argv[1])
    reports = tool.json_lines("check", "--json", "--profile", "reference", *sys.argv[2:])
    reports = {report["path"]: report for report in reports}
    limit_memory()

    def check(path):
        report, why = reports[str(path)], refusal(path)
        # Limits are the reader's own.
        if all(finding["rule"] != "limit-exceeded" for finding in report["findings"]):
            expect(f"refused by NumPy ({why})", report["verdict"] == "error", why is not None)
        status, written, _ = tool.run("convert", "--to", "npy", path, "-")
        if status == 0 and why is None:
            # Out of memory, both without what is in gaps.
            compare(np.load(io.BytesIO(written)), np.load(io.BytesIO(path.read_bytes())))

    for_each(sys.argv[2:], check)


main()
