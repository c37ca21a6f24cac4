"""Runs the tool that is tested, and reports what disagrees."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


class Tool:
    """The binary under test."""

    def __init__(self, binary):
        self.binary = binary

    def run(self, *arguments):
        """Exit status, standard output in bytes, and standard error."""
        command = [self.binary, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, timeout=120, check=False)
        return done.returncode, done.stdout, done.stderr.decode()

    def bytes(self, *arguments):
        """Standard output of a run that has to be clean."""
        status, out, err = self.run(*arguments)
        if status != 0:
            raise Disagreement(f"`{' '.join(map(str, arguments))}` ended with {status}: {out.decode()}{err}")
        return out

    def text(self, *arguments):
        """The same, as text."""
        return self.bytes(*arguments).decode()

    def json_lines(self, *arguments):
        """The objects that a subcommand prints, whatever its exit status."""
        _, out, _ = self.run(*arguments)
        return [json.loads(line) for line in out.splitlines()]


class Disagreement(Exception):
    """The peer and the tool say different things."""


def expect(what, found, expected):
    """Raises where two things that should be equal are not."""
    if found != expected:
        raise Disagreement(f"{what}\n    ndbytes: {found!r}\n    peer:    {expected!r}")


def for_each(paths, check):
    """Runs a check on every file and ends the program: with status 1 if any file failed it."""

    def failure(path):
        try:
            check(path)
        except Disagreement as problem:
            return f"{path.name}: {problem}"
        except Exception as problem:  # The peer itself fell over; the other files still count.
            return f"{path.name}: {type(problem).__name__}: {problem}"
        return None

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        failures = [failure for failure in pool.map(failure, map(Path, paths)) if failure]
    print(*failures, f"{len(paths) - len(failures)} of {len(paths)} files agree", sep="\n")
    sys.exit(1 if failures or not paths else 0)
