"""IDV files as lazy frames of polars: ``ndbytes.polars.scan_idv("x.idv")``. Only the columns that a query takes are read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import polars
from polars.io.plugins import register_io_source

from . import open_table

#: Rows that are read at a time, if polars does not say.
ROWS = 65_536


def scan_idv(
    source: Any,
    *,
    times: Literal["us", "us-floor", "ns", "ticks"] | None = None,
    keys: Literal["dictionary", "text", "raw"] | None = None,
    sparse: Literal["dense", "struct"] | None = None,
    text: Literal["strict", "lossy"] | None = None,
    rows: int | None = None,
    storage_options: dict[str, Any] | None = None,
) -> polars.LazyFrame:
    """Makes a lazy frame of an IDV file, of which a query reads only the columns and the rows that it takes.

    Parameters:
        source: what ``open_table`` takes.
        times, keys, sparse, text, rows: as for ``Table.with_options``.
        storage_options: as for ``open``.

    Raises:
        InvalidError, OSError: as for ``open_table``.

    Example:
        >>> import ndbytes.polars
        >>> ndbytes.polars.scan_idv("trees.idv").select("Name").collect().height
        4
    """
    table = open_table(source, storage_options=storage_options).with_options(times=times, keys=keys, sparse=sparse, text=text, rows=rows)
    schema = polars.DataFrame(table.rows(0, min(len(table), 1))).schema

    def batches(
        with_columns: list[str] | None, predicate: polars.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[polars.DataFrame]:
        chosen = table if with_columns is None else table.select(with_columns)
        end = len(chosen) if n_rows is None else min(n_rows, len(chosen))
        step = batch_size or ROWS
        for start in range(0, end, step):
            frame = polars.DataFrame(chosen.rows(start, min(start + step, end)))
            yield frame if predicate is None else frame.filter(predicate)

    return register_io_source(batches, schema=schema, is_pure=True)
