"""Reads each type of Arrow back from the Parquet that `ndbytes convert` writes, alone and inside of others.

    parquet_types.py TOOL

pyarrow writes an Arrow file with one column. Its values have to be the same in pyarrow, pandas and polars: no time, date or
duration may be a plain integer.
"""

import sys
import tempfile
from decimal import Decimal
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
from pyarrow import ipc, parquet

from tool import Tool, expect, for_each

UNITS = ["s", "ms", "us", "ns"]


def leaves():
    """Types that hold no other ones, each with a value."""
    for unit in UNITS:
        yield pa.timestamp(unit), 1_704_164_645
        yield pa.timestamp(unit, "Europe/Berlin"), 1_704_164_645
        yield pa.duration(unit), 5000
    yield pa.date32(), 1
    yield pa.date64(), 86_400_000
    yield from [(pa.time32("s"), 5), (pa.time32("ms"), 5), (pa.time64("us"), 5), (pa.time64("ns"), 5000)]
    yield from [(pa.bool_(), True), (pa.float16(), 1.5), (pa.float32(), 1.5), (pa.float64(), 1.5)]
    for width in [8, 16, 32, 64]:
        yield from [(getattr(pa, f"{sign}int{width}")(), 7) for sign in ["", "u"]]
    yield from [(of, b"ab") for of in [pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(2)]]
    yield from [(of, "ab") for of in [pa.string(), pa.large_string(), pa.string_view()]]
    yield from [(pa.decimal32(5, 2), Decimal("1.25")), (pa.decimal64(15, 2), Decimal("1.25"))]
    yield from [(pa.decimal128(30, 2), Decimal("1.25")), (pa.decimal256(60, 2), Decimal("1.25"))]


def columns():
    """Two rows of each type: a value and a null, and both in every type that holds others."""
    for of, value in leaves():
        items = pa.array([value, None], of)
        yield items
        yield pa.ListArray.from_arrays([0, 1, 2], items)
        yield pa.FixedSizeListArray.from_arrays(items, 1)
        yield pa.StructArray.from_arrays([items], ["field"])
        yield pa.MapArray.from_arrays([0, 1, 2], pa.array(["k", "l"]), items)
        yield pa.DictionaryArray.from_arrays(pa.array([0, None], pa.int8()), items.slice(0, 1))


def check(tool, folder, place, column):
    """Converts a column, and compares what each of the three reads with what pyarrow wrote."""
    source, made = folder / f"{place}.arrow", folder / f"{place}.parquet"
    table = pa.table({"c": column})
    with ipc.new_file(source, table.schema) as file:
        file.write_table(table)
    tool.bytes("convert", source, made)
    read = parquet.read_table(made)["c"]
    expect(f"{column.type} in pyarrow", read.to_pylist(), column.to_pylist())
    # pandas is asked about types that are its own, polars about those that it has.
    if column.type.num_fields == 0 and not pa.types.is_dictionary(column.type):
        expect(f"{column.type} in pandas", pd.read_parquet(made)["c"].isna().tolist(), [False, True])
        is_time = pa.types.is_timestamp(column.type) or pa.types.is_duration(column.type)
        expect(f"{column.type} is a time in pandas", pd.read_parquet(made)["c"].dtype.kind in "mM", is_time)
    if "decimal256" not in str(column.type):
        found = pl.from_arrow(pa.table({"c": read}))["c"]
        expect(f"{column.type} in polars", pl.read_parquet(made)["c"].to_list(), found.to_list())


def main():
    """Checks all columns."""
    tool, all_columns = Tool(sys.argv[1]), list(columns())
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / str(place) for place in range(len(all_columns))]
        for_each(paths, lambda path: check(tool, path.parent, path.name, all_columns[int(path.name)]))


main()
