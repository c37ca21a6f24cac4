"""Reads, strictly checks, explains, writes and converts files of arrays and tables.

IDX (MNIST), RawArray, b2nd (Blosc2) and .npy hold arrays, IDV (ML.NET) holds tables.

>>> import ndbytes
>>> images = ndbytes.open("train-images-idx3-ubyte")  # doctest: +SKIP
>>> images.shape  # doctest: +SKIP
(60000, 28, 28)
"""

from __future__ import annotations

import json as _json
import os as _os
from collections.abc import Mapping as _Mapping

from ._ndbytes import (
    Archive,
    Array,
    Batches,
    Column,
    Finding,
    InvalidError,
    LimitError,
    Report,
    Table,
    __version__,
    check_batch,
    open,
    save,
    write_idv,
)
from ._ndbytes import Seal as _Seal
from ._ndbytes import check as _check
from ._ndbytes import run_captured as _run_captured
from ._ndbytes import stats_of_numpy as _stats_of_numpy
from ._warnings import FileWarning
from ._warnings import say as _say
from .preflight import Preflight, preflight

__all__ = [
    "Archive",
    "Array",
    "Batches",
    "Column",
    "Explanation",
    "FileWarning",
    "Finding",
    "InvalidError",
    "LimitError",
    "Preflight",
    "Report",
    "Table",
    "__version__",
    "check",
    "check_batch",
    "convert",
    "diff",
    "explain",
    "fix",
    "info",
    "open",
    "preflight",
    "rules",
    "save",
    "seal",
    "stats",
    "write_idv",
]

_Mapping.register(Archive)


def _open_again(source, options):
    """Opens what another process had opened: pickles name this function."""
    return open(source, **options)


def _open_table_again(source, options, asked):
    """As above, for a table of which columns or options were chosen."""
    table = open(source, **options)
    columns = asked.pop("columns", None)
    if columns is not None:
        table = table.select(columns)
    return table.with_options(**asked)


def _limits(memory, time, output):
    """The tool's options for limits."""
    given = {"--max-memory": memory, "--max-time": time, "--max-output": output}
    return [f"{name}={number}" for name, number in given.items() if number is not None]


def _tool(*arguments, accepted=(0,), tells_failures=False):
    """Runs the tool, and returns what it prints. With ``tells_failures``, that has what could not be read or written."""
    status, out, err = _run_captured(["ndbytes", *map(_os.fspath, arguments)])
    if tells_failures and status == 2 and out:
        err = "\n".join(words for words in err.splitlines() if words.startswith("warning: "))
    elif status not in accepted:
        words = err.strip() or out.decode("utf-8", "replace").strip()
        raise ValueError(words.removeprefix("error: "))
    for words in filter(None, map(str.strip, err.splitlines())):
        _say(words.removeprefix("warning: "))
    return out


def _documents(*arguments, **how):
    """The JSON documents that the tool prints, one a line."""
    return [_json.loads(line) for line in _tool(*arguments, **how).splitlines() if line]


def _seal_of(path, sealed, **limits):
    """The seal that ``sealed`` names: True is the one beside the path."""
    if sealed is None or sealed is False:
        return None
    return _Seal(_Seal.beside(path) if sealed is True else sealed, **limits)


def check(source, *, depth="payload", profile="strict", memory=None, time=None, output=None, sealed=None):
    """Checks a file against all rules of its format."""
    if sealed is True and not isinstance(source, (str, _os.PathLike)):
        raise ValueError("only a file that is given by its path has a seal")
    limits = {"memory": memory, "time": time, "output": output}
    return _check(source, depth=depth, profile=profile, seal=_seal_of(source, sealed, **limits), **limits)


def seal(paths, out=None, *, broken=False, memory=None, time=None, output=None):
    """Writes a seal: digests of files and of their parts."""
    if isinstance(paths, (str, bytes, _os.PathLike)):
        paths = [paths]
    options = _limits(memory, time, output)
    if broken:
        options.append("--broken")
    if out is not None:
        options.append(f"--out={_os.fspath(out)}")
    _tool("seal", *options, "--", *paths)


class Explanation:
    """What every byte of a file is for. In a notebook it shows itself as a page."""

    def __init__(self, path, options=()):
        self.path = _os.fspath(path)
        self._options = tuple(options)
        self._fields = None

    @property
    def fields(self):
        """The fields: dictionaries with path, place, value and meaning."""
        if self._fields is None:
            (document,) = _documents("explain", "--json", *self._options, "--", self.path, accepted=(0, 1))
            self._fields = document["spans"]
        return self._fields

    @property
    def html(self):
        """The page, as text."""
        return _tool("explain", "--html", *self._options, "--", self.path, "-", accepted=(0, 1)).decode()

    def _repr_html_(self):
        from html import escape

        return f'<iframe srcdoc="{escape(self.html)}" width="100%" height="600" style="border: 0"></iframe>'

    def __str__(self):
        return _tool("explain", *self._options, "--", self.path, accepted=(0, 1)).decode()

    def __repr__(self):
        return f"<ndbytes.Explanation of {self.path!r}>"


def explain(path, *, memory=None, time=None, output=None):
    """Explains every byte of a file."""
    return Explanation(path, _limits(memory, time, output))


def info(path, *, memory=None, time=None, output=None):
    """What a file holds, as a dictionary."""
    documents = _documents("info", "--json", *_limits(memory, time, output), "--", path, accepted=(0, 1))
    return documents[0] if len(documents) == 1 else documents


def stats(source, *, memory=None, time=None, output=None, tolerate=None, byte_order=None):
    """The statistics of values, as a dictionary."""
    limits = {"memory": memory, "time": time, "output": output}
    if isinstance(source, (Array, Table)):
        if any(limit is not None for limit in limits.values()):
            raise ValueError("what is open has the limits of its opening")
    else:
        if hasattr(source, "__array_interface__"):
            return _stats_of_numpy(source, **limits)
        path = source if isinstance(source, (str, _os.PathLike)) else None
        source = open(source, tolerate=tolerate, byte_order=byte_order, **limits)
        if isinstance(source, Archive):
            raise ValueError("an archive has no values of its own: the statistics are those of a member")
        if path is not None:
            return {"path": _os.fspath(path), **source.stats()}
    return source.stats()


def diff(old, new, *, memory=None, time=None, output=None):
    """The differences between two files, as a dictionary."""
    limits = _limits(memory, time, output)
    documents = _documents("diff", "--json", *limits, "--", old, new, accepted=(0, 1))
    return documents[0] if len(documents) == 1 else documents


def rules():
    """All rules, as dictionaries."""
    return _documents("rules", "--json")


def convert(
    sources, out, *, to=None, lossy=False, strict=False, force=False, memory=None, time=None, output=None
):
    """Converts one file, or several to one."""
    if isinstance(sources, (str, bytes, _os.PathLike)):
        sources = [sources]
    options = _limits(memory, time, output)
    if to is not None:
        options += ["--to", to]
    if lossy:
        options.append("--lossy")
    if strict:
        options.append("--strict")
    if force:
        options.append("--force")
    _tool("convert", *options, "--", *sources, out)


def fix(
    paths,
    *,
    out=None,
    dry_run=False,
    all=False,
    force=False,
    byte_order=None,
    memory=None,
    time=None,
    output=None,
):
    """Writes repaired copies of broken files into a folder, and returns a dictionary for each file."""
    if isinstance(paths, (str, bytes, _os.PathLike)):
        paths = [paths]
    if out is None and not dry_run:
        raise ValueError("`out` names the folder for the copies; `dry_run` writes none")
    options = _limits(memory, time, output)
    if out is not None:
        options.append(f"--out={_os.fspath(out)}")
    flags = {"--dry-run": dry_run, "--all": all, "--force": force}
    options += [flag for flag, is_set in flags.items() if is_set]
    if byte_order is not None:
        options.append(f"--byte-order={byte_order}")
    return _documents("fix", "--json", *options, "--", *paths, accepted=(0, 1), tells_failures=True)
