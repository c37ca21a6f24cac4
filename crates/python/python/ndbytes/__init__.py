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
    """The modules that need another package, which is imported as soon as they are."""
    if name in ("polars", "pytest", "xarray"):
        return _import_module(f"ndbytes.{name}")
    advice = _ELSEWHERE.get(name, "")
    raise AttributeError(f"module 'ndbytes' has no attribute {name!r}{advice}", name=name)


#: What others call by other names.
_ELSEWHERE = {
    **dict.fromkeys(("load", "read", "loads", "from_file", "imread"), ": `ndbytes.open` opens files and bytes"),
    **dict.fromkeys(("write", "dump", "tofile"), ": `ndbytes.save` writes arrays, and `ndbytes.write_idv` tables"),
    **dict.fromkeys(("validate", "verify"), ": `ndbytes.check` judges a file"),
    **dict.fromkeys(("repair",), ": `ndbytes.fix` repairs files"),
}


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

    def opener(
        source,
        *,
        memory=None,
        time=None,
        output=None,
        tolerate=None,
        byte_order=None,
        mmap=True,
        storage_options=None,
    ):
        how = {"memory": memory, "time": time, "output": output, "storage_options": storage_options}
        opened = open(source, tolerate=tolerate, byte_order=byte_order, mmap=mmap, **how)
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
        source: a path, bytes, an open file, a file of fsspec, or an address, as for ``open``.
        memory, time, output: limits, as for ``open``.
        tolerate, byte_order, mmap, storage_options: as for ``open``.

    Raises:
        TypeError: if the file holds something else.
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
    """The seal that ``sealed`` names: True is the one beside the path."""
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
        source: what ``open`` takes: a path, bytes, an open file, a file of fsspec, or an address.
        depth: ``"payload"`` checks everything, ``"structure"`` reads no payload.
        profile: ``"strict"``, or ``"reference"``, which weighs findings as the format's reference reader would.
        memory, time, output: limits, as for ``open``. A limit that is exceeded is a finding.
        sealed: a seal that the file is compared with; ``True`` is the one beside it. What changed breaks the rule ``changed``.
        config: the contract that says what files have to be, in place of ``.ndbytes.toml`` of the working folder. Files that are
            given by their path are judged by it.
        no_config: uses no contract.
        storage_options: as for ``open``.

    Raises:
        OSError: if the file cannot be read. Flaws of its content are findings.
        ValueError: if an argument has no such value, or the contract is not valid.

    Example:
        >>> import ndbytes
        >>> report = ndbytes.check("interrupted-idx3-ubyte")
        >>> report.ok, report[0].rule
        (False, 'idx/truncated-payload')
    """
    if sealed is True and not isinstance(source, (str, _os.PathLike)):
        raise ValueError("only a file that is given by its path has a seal")
    if config is not None and not isinstance(source, (str, _os.PathLike)):
        raise ValueError("only a file that is given by its path has a contract")
    limits = {"memory": memory, "time": time, "output": output}
    demands, seal = _Demands(config, no_config, depth), _seal_of(source, sealed, **limits)
    how = {"depth": depth, "profile": profile, "storage_options": storage_options}
    return _check(source, demands=demands, seal=seal, **how, **limits)


def stats(
    source, *, memory=None, time=None, output=None, tolerate=None, byte_order=None, storage_options=None
):
    """Gathers the statistics of values, as ``ndbytes stats --json`` prints them: extremes, mean, deviation, NaNs, a histogram.

    Parameters:
        source: what ``open`` takes, an ``Array`` or a ``Table``, or an array of NumPy, such as a slice.
        memory, time, output: limits, as for ``open``. What is open has those of its opening.
        tolerate, byte_order, storage_options: as for ``open``.

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
        how = {"tolerate": tolerate, "byte_order": byte_order, "storage_options": storage_options}
        source = open(source, **how, **limits)
        if isinstance(source, Archive):
            raise ValueError("an archive has no values of its own: the statistics are those of a member")
        if path is not None:
            return {"path": _os.fspath(path), **source.stats()}
    return source.stats()
