"""Checks the files of a data set before something long is done with them."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, field

from ._ndbytes import Seal, check_many

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

    def _add(self, path, report):
        if isinstance(report, str):
            self.unreadable[path] = report
            self.files += 1
        elif report.is_foreign and all(finding.rule != "changed" for finding in report.findings):
            self.foreign += 1
        else:
            self.files += 1
            self.size += report.size
            if report.verdict == "error":
                self.broken[path] = report
            elif report.verdict == "warning":
                self.warned[path] = report

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


def preflight(folder, *, depth="payload", profile="strict", memory=None, progress=None, sealed=None) -> Preflight:
    """Checks all files below a folder, or those of a list of paths.

    Files of formats that ndbytes does not know are counted, and passed over. ``progress`` is a function that is called
    with the result so far after each portion; ``True`` prints a line to the standard error.

    ``sealed`` names a seal that the files are compared with; ``True`` is the one in the folder. Files that changed, are new or
    are gone are broken.
    """
    if progress is True:
        progress = _print
    is_folder = isinstance(folder, (str, os.PathLike))
    if sealed is True and not is_folder:
        raise ValueError("the seal of several paths has to be named")
    paths = _files(folder) if is_folder else folder
    seal = None
    if sealed is not None and sealed is not False:
        seal = Seal(Seal.beside(folder) if sealed is True else sealed, memory)
        paths = (path for path in paths if not seal.is_at(path))
    result = Preflight()
    begun = time.perf_counter()
    for portion in _portions(paths, PORTION):
        reports = check_many(portion, depth=depth, profile=profile, memory=memory, seal=seal)
        for path, report in zip(portion, reports):
            result._add(path, report)
        result.seconds = time.perf_counter() - begun
        if progress:
            progress(result)
    if seal and is_folder:
        for path, report in seal.missing(folder):
            result._add(os.fspath(path), report)
    if progress is _print:
        print(file=sys.stderr)
    return result


def _print(result):
    broken = len(result.broken) + len(result.unreadable)
    print(f"\r{result.files} files, {broken} broken, {result.seconds:.0f} s", end="", file=sys.stderr, flush=True)
