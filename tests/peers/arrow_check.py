"""Every cell of tables that became Arrow, as pyarrow, polars and duckdb read it, beside what ML.NET read.

Usage: arrow_check.py PLAN. The plan is a JSON list of objects: `arrow` and `dump` are the paths of an Arrow file and of ML.NET's
dump of the table, `times`, `keys` and `sparse` the options by which the one was made of the other's table.

Prints a JSON object: how many cells each peer read, and how many of them are missing values, which ML.NET shows as defaults; columns that
ML.NET does not show; what a peer cannot read; and everything that differs.
"""

import collections
import datetime
import json
import math
import pathlib
import sys

import duckdb
import polars
import pyarrow

EPOCH = datetime.datetime(1970, 1, 1)
EPOCH_TICKS = 621_355_968_000_000_000
TICKS_PER_MINUTE = 600_000_000
INTEGERS = {"SByte", "Byte", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64"}
FLOATS = {"Single", "Double"}
DATABASE = duckdb.connect(config={"threads": 1, "autoinstall_known_extensions": False})
# What codecs up to version 1.1.1.5 stored for a missing integer, which ML.NET shows.
MARKERS = {-(2**bits) for bits in (7, 15, 31, 63)}


class Column:
    """A column of a dump, and what the options make of it."""

    def __init__(self, described, options):
        info = described["typeinfo"]
        self.name = described["name"]
        self.is_vector = info["kind"] == "vector"
        self.info = info["item"] if self.is_vector else info
        self.kind = self.info["kind"]
        self.options = options
        self.categories = None
        if self.kind == "key" and options["keys"] != "raw":
            self.categories = self.read_categories(described["annotations"])

    def read_categories(self, annotations):
        """The values of all categories, or None if they cannot be told apart."""
        found = [annotation for annotation in annotations if annotation["kind"] == "KeyValues"]
        if not found:
            return None
        kind = found[0]["typeinfo"].get("item", {}).get("kind")
        if kind not in INTEGERS | FLOATS | {"Text"} or found[0]["value"]["len"] != self.info["count"]:
            return None
        values = [normal(value, kind) for value in spread(found[0]["value"], default(kind))]
        is_text = all(is_unicode(value) for value in values if isinstance(value, str))
        return values if is_text and len(set(values)) == len(values) else None

    def expected(self, cell):
        """A cell of the dump, as it should be read."""
        if not self.is_vector:
            return self.expected_item(cell)
        if self.options["sparse"] == "struct":
            items = cell["dense"] if "dense" in cell else cell["sparse"]
            return cell["len"], cell.get("indices"), [self.expected_item(item) for item in items]
        return [self.expected_item(item) for item in spread(cell, default(self.kind))]

    def expected_item(self, item):
        if self.kind == "key":
            if item == 0 or self.categories is None:
                return item or None
            return self.categories[item - 1] if item <= len(self.categories) else f"category {item}"
        item = normal(item, self.kind)
        is_floored = self.options["times"] == "us-floor"
        if self.kind in ("DateTime", "TimeSpan") and is_floored:
            return item // 10 * 10
        if self.kind == "DateTimeOffset" and is_floored:
            return item[0] // 10 * 10, item[1]
        return item

    def read(self, value):
        """A value of a peer in the same form."""
        if not self.is_vector or value is None:
            return self.read_item(value)
        if self.options["sparse"] == "struct":
            indices = value["indices"]
            values = [self.read_item(item) for item in value["values"]]
            return value["length"], indices if indices is None else list(indices), values
        return [self.read_item(item) for item in value]

    def read_item(self, value):
        if value is None:
            return None
        if self.kind == "DateTime":
            return value if isinstance(value, int) else ticks(value)
        if self.kind == "TimeSpan":
            return value if isinstance(value, int) else microseconds(value) * 10
        if self.kind == "DateTimeOffset":
            offset = value["offset_minutes"]
            if "ticks" in value:
                return value["ticks"], offset
            return ticks(value["timestamp"]) + offset * TICKS_PER_MINUTE, offset
        if self.kind == "DataViewRowId":
            return int.from_bytes(value[8:], "big"), int.from_bytes(value[:8], "big")
        return sign_of(value) if isinstance(value, float) else value


def default(kind):
    """What a sparse vector does not store, as a dump has it."""
    if kind in ("DateTimeOffset", "DataViewRowId"):
        return [0, 0]
    return {"Text": "", "Boolean": False, "Single": 0.0, "Double": 0.0}.get(kind, 0)


def spread(vector, filler):
    """All items of a vector."""
    if "dense" in vector:
        return vector["dense"]
    items = [filler] * vector["len"]
    for index, item in zip(vector["indices"], vector["sparse"], strict=True):
        items[index] = item
    return items


def normal(item, kind):
    if kind in FLOATS:
        is_nan = isinstance(item, str) and item.startswith("NaN")
        return sign_of(math.nan if is_nan else float(item))
    return tuple(item) if isinstance(item, list) else item


def sign_of(number):
    """A number that is equal to itself: zeros differ by their signs, and all NaN are one."""
    return "NaN" if math.isnan(number) else (number, math.copysign(1, number))


def is_unicode(text):
    return not any("\ud800" <= character <= "\udfff" for character in text)


def microseconds(duration):
    return (duration.days * 86400 + duration.seconds) * 1_000_000 + duration.microseconds


def ticks(time):
    if time.tzinfo is not None:
        time = time.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return microseconds(time - EPOCH) * 10 + EPOCH_TICKS


def read_pyarrow(table, _path, name):
    column = table.column(name)
    if isinstance(column.type, pyarrow.BaseExtensionType):
        chunks = [chunk.storage for chunk in column.chunks]
        column = pyarrow.chunked_array(chunks, column.type.storage_type)
    return column.to_pylist()


def read_polars(_table, path, name):
    return polars.read_ipc(path, columns=[name])[name].to_list()


def read_duckdb(table, _path, name):
    with DATABASE.cursor() as cursor:
        cursor.register("cells", table.select([name]))
        cells = cursor.execute("SELECT * FROM cells")
        if "tz=" in str(table.schema.field(name).type):  # duckdb needs pytz to give these itself
            return cells.to_arrow_table().column(0).to_pylist()
        return [row[0] for row in cells.fetchall()]


def has_fixed_categories(data_type):
    """Whether duckdb 2.0.0 reads wrong values: it takes the places of categories for the values."""
    return pyarrow.types.is_fixed_size_list(data_type) and pyarrow.types.is_dictionary(data_type.value_type)


PEERS = {"pyarrow": read_pyarrow, "polars": read_polars, "duckdb": read_duckdb}


class Comparison:
    def __init__(self):
        self.cells = collections.Counter()
        self.missing = collections.Counter()
        self.unsupported = collections.Counter()
        self.beyond = 0
        self.failures = []

    def table(self, entry):
        name = f"{pathlib.Path(entry['dump']).name}: {entry['times']} {entry['keys']} {entry['sparse']}"
        dump = json.loads(pathlib.Path(entry["dump"]).read_text(encoding="utf-8"))
        with pyarrow.OSFile(entry["arrow"]) as source:
            table = pyarrow.ipc.open_file(source).read_all()
        table.validate(full=True)
        if table.num_rows != dump["rowCount"] and table.num_columns:
            self.failures.append(f"{name}: {table.num_rows} rows, not {dump['rowCount']}")
        seen = {column["name"]: place for place, column in enumerate(dump["columns"]) if not column["hidden"]}
        self.beyond += len(set(table.column_names) - set(seen))
        for column_name, place in seen.items():
            if column_name not in table.column_names:
                self.failures.append(f"{name}: there is no column {column_name!r}")
                continue
            column = Column(dump["columns"][place], entry)
            expected = [column.expected(row[place]) for row in dump["rows"]]
            for peer, read in PEERS.items():
                if peer == "duckdb" and has_fixed_categories(table.schema.field(column_name).type):
                    self.unsupported["duckdb: categories in lists of fixed size are read as numbers"] += 1
                    continue
                try:
                    values = read(table, entry["arrow"], column_name)
                except BaseException as error:  # polars panics with an exception of its own
                    if isinstance(error, KeyboardInterrupt):
                        raise
                    reason = str(error).splitlines()[0]
                    self.unsupported[f"{peer}: {table.schema.field(column_name).type}: {reason}"] += 1
                    continue
                self.column(peer, f"{name}: {peer}: {column_name!r}", column, values, expected)

    def column(self, peer, name, column, values, expected):
        if len(values) != len(expected):
            self.failures.append(f"{name}: {len(values)} rows, not {len(expected)}")
            return
        for row, (value, wanted) in enumerate(zip(values, expected)):
            self.cells[peer] += 1
            value = column.read(value)
            if value == wanted:
                continue
            if self.without_missing(column, value, wanted) == wanted:
                self.missing[peer] += 1
                continue
            self.failures.append(f"{name}: row {row}: {str(value)[:200]}, not {str(wanted)[:200]}")
            return

    def without_missing(self, column, value, wanted):
        """The value with the defaults of ML.NET where items are missing."""
        if isinstance(value, list) and isinstance(wanted, list) and len(value) == len(wanted):
            return [self.without_missing(column, one, other) for one, other in zip(value, wanted)]
        if isinstance(value, tuple) and isinstance(wanted, tuple) and len(value) == len(wanted) == 3:
            return value[0], value[1], self.without_missing(column, value[2], wanted[2])
        is_default = wanted == normal(default(column.kind), column.kind) or wanted in MARKERS
        return wanted if value is None and is_default else value


def main():
    comparison = Comparison()
    for entry in json.loads(pathlib.Path(sys.argv[1]).read_text()):
        comparison.table(entry)
    print(json.dumps(vars(comparison)))


main()
