"""Checks the files of a dataset before a long computation uses them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from . import _html
from ._ndbytes import Demands, Seal, Walk, check_many

if TYPE_CHECKING:
    from . import Report

_Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]

#: Files that are checked at a time. Between two portions, progress is reported and signals are handled.
PORTION = 512


@dataclass
class Preflight:
    """The result of ``preflight``. It is true if the files are ok; ``str`` returns one line per problem and a summary.

    Example:
        >>> import ndbytes
        >>> bool(ndbytes.preflight("surface.ra"))
        True
    """

    #: The number of files in known formats.
    files: int = 0
    #: The number of other files, which were not checked.
    foreign: int = 0
    #: The bytes of the files.
    size: int = 0
    #: The duration in seconds.
    seconds: float = 0.0
    #: The files with errors, those with warnings, and those without a verdict in profile ``reference``: reports by path.
    broken: dict[str, Report] = field(default_factory=dict)
    warned: dict[str, Report] = field(default_factory=dict)
    unforeseen: dict[str, Report] = field(default_factory=dict)
    #: The files that could not be read: reasons by path.
    unreadable: dict[str, str] = field(default_factory=dict)
    #: ``payload``, or ``structure`` if no payload was read.
    depth: str = "payload"
    #: The numbers of skipped directory entries, which do not count as files, by kind. The kinds are
    #: ``git`` (named .git), ``links`` (links to directories) and ``ignored`` (by .gitignore).
    passed: dict[str, int] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """True if at least one file was checked, none is broken, and all could be read."""
        return self.files > 0 and not self.broken and not self.unreadable

    def __bool__(self) -> bool:
        return self.ok

    def _add(self, path: str, report: Any, named: bool = False) -> None:
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

    def _repr_html_(self) -> str:
        return _html.preflight(self)

    def __str__(self) -> str:
        lines = []
        for path, report in self.broken.items():
            lines.append(f"{path}: {report.findings[0]}")
        for path, reason in self.unreadable.items():
            lines.append(f"{path}: {reason}")
        line = f"{self.files} files, {len(self.broken)} of them broken, {len(self.warned)} with warnings"
        if self.unreadable:
            line += f", {len(self.unreadable)} that cannot be read"
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
    folder: _Path | Sequence[_Path],
    *,
    depth: Literal["structure", "payload"] = "payload",
    profile: Literal["strict", "reference"] = "strict",
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
    progress: Callable[[Preflight], object] | bool | None = None,
    sealed: _Path | bool | None = None,
    gitignore: bool = False,
    config: _Path | None = None,
    no_config: bool = False,
    storage_options: Mapping[str, Any] | None = None,
) -> Preflight:
    """Checks all files below a folder, or those in a list of paths. Folders in the list are also searched.

    A folder may be in an object store: ``s3://bucket/lake/``. The search skips only ``.git``. A path that does not exist
    counts as unreadable. A result without files is not ok. Files in unknown formats are counted and skipped, unless
    ``folder`` is one.

    Parameters:
        folder: a folder, a file, or a list of folders and files.
        depth, profile: as for ``check``.
        memory, time, output: limits for each file, as for ``open``.
        progress: a function that is called with the result so far after every 512 files. ``True`` prints a line to standard
            error.
        sealed: a seal to compare the files with; ``True`` means the one in the folder. Changed, new and missing files count
            as broken.
        gitignore: skips hidden files, and files that .gitignore or .ignore excludes, as ripgrep does.
        config, no_config: as for ``check``.
        storage_options: options for object stores, as for ``open``.

    Raises:
        ValueError: if an argument has an invalid value, several paths have no named seal, or the contract is not valid.

    Example:
        >>> import ndbytes
        >>> result = ndbytes.preflight(["surface.ra", "interrupted-idx3-ubyte"])
        >>> result.ok, list(result.broken)
        (False, ['interrupted-idx3-ubyte'])
    """
    told = _print if progress is True else progress or None
    # One path is the user's own word, and a list is not.
    one = os.fsdecode(folder) if isinstance(folder, (str, bytes, os.PathLike)) else None
    if sealed is True and one is None:
        raise ValueError("name the seal of several paths")
    seal, limits = None, {"memory": memory, "time": time, "output": output}
    if sealed is not None and sealed is not False:
        seal = Seal(Seal.beside(one) if sealed is True else sealed, **limits)
    paths = [one] if isinstance(folder, (str, bytes, os.PathLike)) else list(map(os.fsdecode, folder))
    demands, stores = Demands(config, no_config, depth), dict(storage_options or {})
    walk = Walk(paths, one is not None, gitignore, memory, seal)
    result = Preflight(depth=depth)
    begun = perf_counter()
    while met := [(os.fspath(path), named, reason) for path, named, reason in walk.take(PORTION, stores)]:
        readable = [path for path, _, reason in met if reason is None]
        how = {"depth": depth, "profile": profile, "storage_options": stores}
        reports = iter(check_many(readable, demands=demands, seal=seal, **how, **limits))
        for path, named, reason in met:
            result._add(path, reason if reason is not None else next(reports), named or demands.knows(path))
        result.passed = dict(walk.passed())
        result.seconds = perf_counter() - begun
        if told:
            told(result)
    result.passed = dict(walk.passed())
    for path, report in seal.missing() if seal else []:
        result._add(os.fspath(path), report)
    if told is _print:
        print(file=sys.stderr)
    return result


def _print(result: Preflight) -> None:
    broken = len(result.broken) + len(result.unreadable)
    print(f"\r{result.files} files, {broken} broken, {result.seconds:.0f} s", end="", file=sys.stderr, flush=True)
