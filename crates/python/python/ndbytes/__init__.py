"""Reads, strictly checks, explains, writes and converts files of arrays and tables.

IDX (MNIST), RawArray, b2nd (Blosc2), .npy, safetensors and GGUF hold arrays; IDV (ML.NET) holds tables.

>>> import ndbytes
>>> images = ndbytes.open("train-images-idx3-ubyte")  # doctest: +SKIP
>>> images.shape  # doctest: +SKIP
(60000, 28, 28)
"""

from __future__ import annotations

import os as _os
from collections.abc import Mapping as _Mapping
from importlib import import_module as _import_module

from . import _idioms
from ._commands import (
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
from ._ndbytes import Demands as _Demands
from ._ndbytes import Seal as _Seal
from ._ndbytes import check as _check
from ._ndbytes import stats_of_numpy as _stats_of_numpy
from ._results import Diff, Explanation, Picture
from ._tool import Source as _Source
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
_idioms.install()


def __getattr__(name):
    """Imports the modules that need another package only when they are used."""
    if name in ("polars", "pytest", "xarray"):
        return _import_module(f"ndbytes.{name}")
    advice = _ELSEWHERE.get(name, "")
    raise AttributeError(f"module 'ndbytes' has no attribute {name!r}{advice}", name=name)


#: Functions that other packages call by other names.
_ELSEWHERE = {
    **dict.fromkeys(("load", "read", "loads", "from_file", "imread"), ": `ndbytes.open` opens files and bytes"),
    **dict.fromkeys(("write", "dump", "tofile"), ": `ndbytes.save` writes arrays, and `ndbytes.write_idv` tables"),
    **dict.fromkeys(("validate", "verify"), ": `ndbytes.check` judges a file"),
    **dict.fromkeys(("repair",), ": `ndbytes.fix` repairs files"),
}


def _open_again(source, options):
    """Reopens a file in another process: pickles refer to this function."""
    return open(source, **options)


def _open_table_again(source, options, asked):
    """As above, for a table with selected columns or options."""
    table = open(source, **options)
    columns = asked.pop("columns", None)
    if columns is not None:
        table = table.select(columns)
    return table.with_options(**asked)


def _opener(kind, name, doc):
    """Returns the function that opens files of one class."""

    def opener(
        source,
        *,
        memory=None,
        time=None,
        output=None,
        tolerate=None,
        byte_order=None,
        void_as=None,
        mmap=True,
        storage_options=None,
    ):
        how = {"memory": memory, "time": time, "output": output, "storage_options": storage_options}
        opened = open(source, tolerate=tolerate, byte_order=byte_order, void_as=void_as, mmap=mmap, **how)
        if not isinstance(opened, kind):
            held = {Array: "an array", Table: "a table", Archive: "an archive"}
            raise TypeError(f"the file holds {held[type(opened)]}, not {held[kind]}")
        return opened

    opener.__name__ = opener.__qualname__ = name
    opener.__doc__ = doc
    return opener


def _opener_doc(what, name, path):
    return f"""Opens a file that holds {what}.

    Parameters:
        source: a path, bytes, an open file, an fsspec file, or a URL, as for ``open``.
        memory, time, output: limits, as for ``open``.
        tolerate, byte_order, void_as, mmap, storage_options: as for ``open``.

    Raises:
        TypeError: if the file contains something else.
        InvalidError, LimitError, TimeoutError, OSError: as for ``open``.

    Example:
        >>> import ndbytes
        >>> with ndbytes.{name}("{path}") as opened:
        ...     length = len(opened)
    """


open_array = _opener(Array, "open_array", _opener_doc("an array", "open_array", "surface.ra"))
open_table = _opener(Table, "open_table", _opener_doc("a table", "open_table", "trees.idv"))
open_archive = _opener(Archive, "open_archive", _opener_doc("an archive or a store", "open_archive", "model.zip"))


def _seal_of(path, sealed, **limits):
    """Returns the seal that ``sealed`` names: True means the one next to the file."""
    if sealed is None or sealed is False:
        return None
    return _Seal(_Seal.beside(path) if sealed is True else sealed, **limits)


def check(
    source,
    *,
    depth="payload",
    profile="strict",
    memory=None,
    time=None,
    output=None,
    sealed=None,
    config=None,
    no_config=False,
    storage_options=None,
):
    """Checks a file against all rules of its format.

    Parameters:
        source: what ``open`` accepts: a path, bytes, an open file, an fsspec file, or a URL. An ``Array`` or a ``Table`` is
            written to a file first.
        depth: ``"payload"`` checks everything, ``"structure"`` reads no payload.
        profile: ``"strict"``, or ``"reference"``, which predicts the format's reference reader.
        memory, time, output: limits, as for ``open``. An exceeded limit is a finding.
        sealed: a seal to compare the file with; ``True`` means the file's default seal. Changes violate the rule ``changed``.
        config: the contract to check, instead of the ``.ndbytes.toml`` that applies to the working directory. A contract
            applies only to files that are given by path.
        no_config: uses no contract.
        storage_options: as for ``open``.

    Raises:
        OSError: if the file cannot be read. Errors in its content are findings.
        ValueError: if an argument has an invalid value, or the contract is not valid.

    Example:
        >>> import ndbytes
        >>> report = ndbytes.check("interrupted-idx3-ubyte")
        >>> report.ok, report[0].rule
        (False, 'idx/truncated-payload')
    """
    if sealed is True and not isinstance(source, (str, _os.PathLike)):
        raise ValueError("only a file opened by its path has a seal")
    if config is not None and not isinstance(source, (str, _os.PathLike)):
        raise ValueError("only a file opened by its path has a contract")
    limits = {"memory": memory, "time": time, "output": output}
    # What is open has no rules left to break, but those of a file that is made of it.
    made = _Source(source) if isinstance(source, (Array, Table)) else None
    source = source if made is None else made.path
    demands, seal = _Demands(config, no_config, depth), _seal_of(source, sealed, **limits)
    how = {"depth": depth, "profile": profile, "storage_options": storage_options}
    return _check(source, demands=demands, seal=seal, **how, **limits)


def stats(
    source, *, memory=None, time=None, output=None, tolerate=None, byte_order=None, void_as=None, storage_options=None
):
    """Computes the statistics that ``ndbytes stats --json`` prints: range, mean, deviation, NaNs, a histogram.

    Parameters:
        source: what ``open`` accepts, an ``Array`` or a ``Table``, or a NumPy array, such as a slice.
        memory, time, output: limits, as for ``open``. An open object keeps the limits that it was opened with.
        tolerate, byte_order, void_as, storage_options: as for ``open``.

    Raises:
        ValueError: for an archive, which has no values of its own.
        InvalidError, LimitError, TimeoutError, OSError: as for ``open``.

    Example:
        >>> import ndbytes
        >>> ndbytes.stats("temperatures.b2nd")["series"][0]["max"]
        372
    """
    limits = {"memory": memory, "time": time, "output": output}
    if isinstance(source, (Array, Table)):
        if any(limit is not None for limit in limits.values()):
            raise ValueError("what is open has the limits of its opening")
    else:
        if hasattr(source, "__array_interface__"):
            return _stats_of_numpy(source, **limits)
        path = source if isinstance(source, (str, _os.PathLike)) else None
        how = {"tolerate": tolerate, "byte_order": byte_order, "void_as": void_as, "storage_options": storage_options}
        source = open(source, **how, **limits)
        if isinstance(source, Archive):
            raise ValueError("an archive has no values of its own: the statistics are those of a member")
        if path is not None:
            return {"path": _os.fspath(path), **source.stats()}
    return source.stats()
