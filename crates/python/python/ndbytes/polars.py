"""IDV files as lazy frames of polars: ``ndbytes.polars.scan_idv("x.idv")``. Only the columns that a query takes are read."""

from __future__ import annotations

import polars
from polars.io.plugins import register_io_source

from ._ndbytes import open as _open

#: Rows that are read at a time, if polars does not say.
ROWS = 65_536


def scan_idv(source, **options):
    """A lazy frame of an IDV file. ``options`` are those of ``Table.with_options``."""
    table = _open(source).with_options(**options)
    schema = polars.from_arrow(table.rows(0, 0)).schema if len(table) == 0 else polars.DataFrame(table.rows(0, 1)).schema

    def batches(with_columns, predicate, n_rows, batch_size):
        chosen = table if with_columns is None else table.select(with_columns)
        end = len(chosen) if n_rows is None else min(n_rows, len(chosen))
        step = batch_size or ROWS
        for start in range(0, end, step):
            frame = polars.DataFrame(chosen.rows(start, min(start + step, end)))
            yield frame if predicate is None else frame.filter(predicate)

    return register_io_source(batches, schema=schema, is_pure=True)
