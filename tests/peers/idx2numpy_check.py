"""Compares the verdict of profile `reference` with what idx2numpy does with the same files.

Usage: idx2numpy_check.py BINARY FILE...
"""

import sys

import idx2numpy
from tool import Tool, expect, for_each


def limit_memory():
    """A header may claim terabytes; that has to fail, as it would on a small machine."""
    try:
        import resource
    except ImportError:  # Not on Windows.
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, hard))


def refusal(path):
    """Why idx2numpy refuses a file; nothing if it reads it."""
    try:
        idx2numpy.convert_from_file(str(path))
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"
    return None


def main():
    tool = Tool(sys.argv[1])
    reports = tool.json_lines("check", "--json", "--profile", "reference", *sys.argv[2:])
    verdicts = {report["path"]: report["verdict"] for report in reports}
    limit_memory()

    def check(path):
        why = refusal(path)
        refused = verdicts[str(path)] == "error"
        expect(f"refused by the reference reader ({why})", refused, why is not None)

    for_each(sys.argv[2:], check)


if __name__ == "__main__":
    main()
