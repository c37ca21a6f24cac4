"""Checks the files of a data set before something long is done with them."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from time import perf_counter

from ._ndbytes import Seal, Walk, check_many

#: Files that are checked at a time. Between two portions progress is reported, and signals are answered.
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
    #: The files with errors, those with warnings, and those without a verdict in profile ``reference``: reports by path.
    broken: dict = field(default_factory=dict)
    warned: dict = field(default_factory=dict)
    unforeseen: dict = field(default_factory=dict)
    #: The files that could not be read: reasons by path.
    unreadable: dict = field(default_factory=dict)
    #: ``payload``, or ``structure`` if no payload was read.
    depth: str = "payload"
    #: The entries of folders that were skipped, which nobody counted as files: their numbers by kind. The kinds are
    #: ``git`` (what is called .git), ``links`` (links to folders) and ``ignored`` (by the rules of .gitignore).
    passed: dict = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """True if a file was checked, no file is broken and all could be read."""
        return self.files > 0 and not self.broken and not self.unreadable

    def __bool__(self) -> bool:
        return self.ok

    def _add(self, path, report, named=False):
        if isinstance(report, str):
            self.unreadable[path] = report
            self.files += 1
        elif report.is_foreign and not named and all(finding.rule != "changed" for finding in report.findings):
            self.foreign += 1
        else:
            self.files += 1
            self.size += report.size
            if report.verdict == "error":
                self.broken[path] = report
            elif report.verdict == "warning":
                self.warned[path] = report
            elif report.verdict == "unforeseen":
                self.unforeseen[path] = report

    def __str__(self) -> str:
        lines = []
        for path, report in self.broken.items():
            lines.append(f"{path}: {report.findings[0]}")
        for path, reason in self.unreadable.items():
            lines.append(f"{path}: {reason}")
        broken = len(self.broken) + len(self.unreadable)
        line = f"{self.files} files, {broken} of them broken, {len(self.warned)} with warnings"
        if self.unforeseen:
            line += f", {len(self.unforeseen)} without a verdict"
        if not self.files:
            line += ": nothing was checked"
        if self.depth == "structure":
            line += "; payloads were not read"
        if self.passed:
            line += "; skipped: " + ", ".join(f"{number} {kind}" for kind, number in self.passed.items())
        lines.append(line)
        return "\n".join(lines)


def preflight(
    folder,
    *,
    depth="payload",
    profile="strict",
    memory=None,
    time=None,
    output=None,
    progress=None,
    sealed=None,
    gitignore=False,
) -> Preflight:
    """Checks all files below a folder, or those of a list of paths. Folders in the list are walked, too.

    A walk finds everything but what is called ``.git``. ``gitignore=True`` skips what ripgrep skips: hidden files, and
    what .gitignore and the like name. A path where nothing is is unreadable. A result without any file is not ok.

    Files of formats that ndbytes does not know are counted, and skipped, unless ``folder`` is one. ``progress`` is a function that is called
    with the result so far after each portion; ``True`` prints a line to the standard error.

    ``memory``, ``time`` and ``output`` bound what each file may cost: see ``open``.

    ``sealed`` names a seal that the files are compared with; ``True`` is the one in the folder. Files that changed, are new or
    are gone are broken.
    """
    if progress is True:
        progress = _print
    is_folder = isinstance(folder, (str, os.PathLike))
    if sealed is True and not is_folder:
        raise ValueError("the seal of several paths has to be named")
    seal, limits = None, {"memory": memory, "time": time, "output": output}
    if sealed is not None and sealed is not False:
        seal = Seal(Seal.beside(folder) if sealed is True else sealed, **limits)
    walk = Walk([folder] if is_folder else list(folder), is_folder, gitignore, memory, seal)
    result = Preflight(depth=depth)
    begun = perf_counter()
    while met := [(os.fspath(path), named, reason) for path, named, reason in walk.take(PORTION)]:
        paths = [path for path, _, reason in met if reason is None]
        reports = iter(check_many(paths, depth=depth, profile=profile, seal=seal, **limits))
        for path, named, reason in met:
            result._add(path, reason if reason is not None else next(reports), named)
        result.passed = dict(walk.passed())
        result.seconds = perf_counter() - begun
        if progress:
            progress(result)
    result.passed = dict(walk.passed())
    for path, report in seal.missing() if seal else []:
        result._add(os.fspath(path), report)
    if progress is _print:
        print(file=sys.stderr)
    return result


def _print(result):
    broken = len(result.broken) + len(result.unreadable)
    print(f"\r{result.files} files, {broken} broken, {result.seconds:.0f} s", end="", file=sys.stderr, flush=True)
