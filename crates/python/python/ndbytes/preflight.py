"""Checks the files of a data set before something long is done with them."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, field

from ._ndbytes import check_many

#: Files that are checked at a time. Between two portions progress is told, and signals are answered.
PORTION = 512


@dataclass
class Preflight:
    """The result of a preflight."""

    #: The number of files of formats that ndbytes knows.
    files: int = 0
    #: The number of other files, which nobody judged.
    foreign: int = 0
    #: The bytes of the files.
    size: int = 0
    #: The time that it took, in seconds.
    seconds: float = 0.0
    #: The files with errors, and those with warnings: reports by path.
    broken: dict = field(default_factory=dict)
    warned: dict = field(default_factory=dict)
    #: The files that could not be read: reasons by path.
    unreadable: dict = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """True if no file is broken and all could be read."""
        return not self.broken and not self.unreadable

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        lines = []
        for path, report in self.broken.items():
            lines.append(f"{path}: {report.findings[0]}")
        for path, reason in self.unreadable.items():
            lines.append(f"{path}: {reason}")
        broken = len(self.broken) + len(self.unreadable)
        lines.append(f"{self.files} files, {broken} of them broken, {len(self.warned)} with warnings")
        return "\n".join(lines)


def _files(folder):
    """All files below a folder, in the order of their names. A folder that is one array is one file."""
    for root, folders, names in os.walk(folder):
        folders.sort()
        # Sparse frames of Blosc2 are folders; what is in them belongs to them.
        for name in [name for name in folders if os.path.exists(os.path.join(root, name, "chunks.b2frame"))]:
            folders.remove(name)
            yield os.path.join(root, name)
        for name in sorted(names):
            yield os.path.join(root, name)


def _portions(paths, size):
    portion = []
    for path in paths:
        portion.append(os.fspath(path))
        if len(portion) == size:
            yield portion
            portion = []
    if portion:
        yield portion


def preflight(folder, *, depth="payload", profile="strict", memory=None, progress=None) -> Preflight:
    """Checks all files below a folder, or those of a list of paths.

    Files of formats that ndbytes does not know are counted, and passed over. ``progress`` is a function that is called
    with the result so far after each portion; ``True`` prints a line to the standard error.
    """
    if progress is True:
        progress = _print
    paths = _files(folder) if isinstance(folder, (str, os.PathLike)) else folder
    result = Preflight()
    begun = time.perf_counter()
    for portion in _portions(paths, PORTION):
        for path, report in zip(portion, check_many(portion, depth=depth, profile=profile, memory=memory)):
            if isinstance(report, str):
                result.unreadable[path] = report
                result.files += 1
            elif report.is_foreign:
                result.foreign += 1
            else:
                result.files += 1
                result.size += report.size
                if report.verdict == "error":
                    result.broken[path] = report
                elif report.verdict == "warning":
                    result.warned[path] = report
        result.seconds = time.perf_counter() - begun
        if progress:
            progress(result)
    if progress is _print:
        print(file=sys.stderr)
    return result


def _print(result):
    broken = len(result.broken) + len(result.unreadable)
    print(f"\r{result.files} files, {broken} broken, {result.seconds:.0f} s", end="", file=sys.stderr, flush=True)
