"""Reads, strictly checks, explains, writes and converts files of arrays and tables.

IDX (MNIST), RawArray, b2nd (Blosc2) and .npy hold arrays, IDV (ML.NET) holds tables.

>>> import ndbytes
>>> images = ndbytes.open("train-images-idx3-ubyte")  # doctest: +SKIP
>>> images.shape  # doctest: +SKIP
(60000, 28, 28)
"""

from __future__ import annotations

import os as _os
from collections.abc import Mapping as _Mapping

from ._commands import (
    Diff,
    Explanation,
    Picture,
    convert,
    diff,
    explain,
    fix,
    forge,
    info,
    merge,
    rules,
    schema,
    seal,
    show,
)
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
from ._ndbytes import stats_of_numpy as _stats_of_numpy
from ._warnings import FileWarning
from .preflight import Preflight, preflight

__all__ = [
    "Archive",
    "Array",
    "Batches",
    "Column",
    "Diff",
    "Explanation",
    "FileWarning",
    "Finding",
    "InvalidError",
    "LimitError",
    "Picture",
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
    "forge",
    "info",
    "merge",
    "open",
    "open_archive",
    "open_array",
    "open_table",
    "preflight",
    "rules",
    "save",
    "schema",
    "seal",
    "show",
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


def _opener(kind, name, doc):
    """The function that opens files of one class."""

    def opener(source, *, memory=None, time=None, output=None, tolerate=None, byte_order=None, mmap=True):
        limits = {"memory": memory, "time": time, "output": output}
        opened = open(source, tolerate=tolerate, byte_order=byte_order, mmap=mmap, **limits)
        if not isinstance(opened, kind):
            held = {Array: "an array", Table: "a table", Archive: "an archive"}
            raise TypeError(f"the file holds {held[type(opened)]}, not {held[kind]}")
        return opened

    opener.__name__ = opener.__qualname__ = name
    opener.__doc__ = doc
    return opener


open_array = _opener(Array, "open_array", "Opens a file that holds an array.")
open_table = _opener(Table, "open_table", "Opens a file that holds a table.")
open_archive = _opener(Archive, "open_archive", "Opens an archive or a store.")


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
