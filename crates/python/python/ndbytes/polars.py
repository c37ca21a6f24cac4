"""IDV files as polars lazy frames: ``ndbytes.polars.scan_idv("x.idv")``. Only the columns that a query uses are read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import polars
from polars.io.plugins import register_io_source

from . import Table, open_table

#: Rows that are read at a time, unless polars requests another number.
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
    """Returns a lazy frame for an IDV file. A query reads only the columns and rows that it uses.

    Parameters:
        source: what ``open_table`` accepts.
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
    # By Arrow's schema, for which nothing is decoded.
    schema = polars.Schema(table)

    def batches(
        with_columns: list[str] | None, predicate: polars.Expr | None, n_rows: int | None, batch_size: int | None
    ) -> Iterator[polars.DataFrame]:
        names = table.columns if with_columns is None else with_columns
        end = len(table) if n_rows is None else min(n_rows, len(table))
        step = batch_size or ROWS
        for start in range(0, end, step):
            rows = range(start, min(start + step, end))
            if predicate is None:
                yield _frame(table, names, rows)
            else:
                yield from _filtered(table, names, rows, predicate)

    return register_io_source(batches, schema=schema, is_pure=True)


def _frame(table: Table, names: list[str], rows: range) -> polars.DataFrame:
    return polars.DataFrame(table.select(names).rows(rows.start, rows.stop))


def _filtered(table: Table, names: list[str], rows: range, predicate: polars.Expr) -> Iterator[polars.DataFrame]:
    """Yields the rows that match a predicate. Only the columns that it needs are read for all rows."""
    needed = [name for name in table.columns if name in set(predicate.meta.root_names())]
    if not needed:
        yield _frame(table, names, rows).filter(predicate)
        return
    judged = _frame(table, needed, rows)
    taken = judged.select(predicate.alias("taken"))["taken"].fill_null(False)
    places = taken.arg_true()
    if not len(places):
        return
    first, last = places[0], places[-1] + 1
    others = [name for name in names if name not in needed]
    frame = judged.slice(first, last - first)
    if others:
        # Of the other columns, the rows from the first to the last one that is taken.
        frame = frame.hstack(_frame(table, others, range(rows.start + first, rows.start + last)))
    yield frame.filter(taken.slice(first, last - first)).select(names)
