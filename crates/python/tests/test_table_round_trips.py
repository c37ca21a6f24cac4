"""Writing tables and reading them back: type of column × layout in memory. What comes back has the same type and values."""

import datetime

import ndbytes
import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")

#: Columns of tables, and the types that they come back as if these are others.
COLUMNS = {
    **{f"int{width}": (pa.array([0, -1, 2 ** (width - 1) - 1, -(2 ** (width - 1)), 5], f"int{width}"), None) for width in (8, 16, 32, 64)},
    **{f"uint{width}": (pa.array([0, 1, 2**width - 1, 7, 5], f"uint{width}"), None) for width in (8, 16, 32, 64)},
    "float": (pa.array([0.5, -0.0, np.inf, 1e-45, -3.25], "float32"), None),
    "double": (pa.array([0.1, -0.0, -np.inf, 5e-324, 1e300], "float64"), None),
    "half": (pa.array(np.array([0.5, -0.0, np.inf, 6e-8, -3.25], "f2")), pa.float32()),
    "bool": (pa.array([True, False, False, True, True]), None),
    "string": (pa.array(["", "a", "größe", "漢字", "x" * 300]), None),
    "large_string": (pa.array(["", "a", "größe", "漢字", "x" * 300], pa.large_string()), pa.string()),
    "dictionary": (pa.array(["b", "a", None, "b", "c"]).dictionary_encode(), "dictionary"),
    "timestamp": (pa.array([0, -1, 10**15, 7, 1], pa.timestamp("us")), None),
    "duration": (pa.array([0, -1, 10**15, 7, 1], pa.duration("us")), None),
    "fixed": (pa.array([[1, 2, 3], [4, 5, 6], [0, 0, 7], [8, 9, 1], [2, 2, 2]], pa.list_(pa.int16(), 3)), None),
    "list": (pa.array([[1.5], [], [0.0, 2.5], [3.0] * 40, [-0.0]], pa.list_(pa.float32())), None),
    "texts": (pa.array([["a", "b"], ["", "c"], ["d", "e"], ["f", "g"], ["h", "i"]], pa.list_(pa.string(), 2)), None),
}

#: What IDV has no type for.
NO_COLUMNS = {
    "decimal": pa.array([1, 2], pa.decimal128(5, 1)),
    "binary": pa.array([b"a", b"b"]),
    "struct": pa.array([{"a": 1}, {"a": 2}]),
    "null": pa.nulls(2),
    "map": pa.array([[("a", 1)], []], pa.map_(pa.string(), pa.int8())),
    "list of lists": pa.array([[[1]], [[2]]]),
}


def laid_out(array):
    """The same values, cut into pieces, out of the middle of others, and gathered from the last to the first."""
    many = pa.concat_arrays([array, array, array])
    yield "whole", pa.chunked_array([array])
    yield "sliced", pa.chunked_array([many[len(array) : 2 * len(array)]])
    yield "chunked", pa.chunked_array([array[:2], array[2:2], array[2:]])
    yield "reversed", pa.chunked_array([array.take(pa.array(range(len(array) - 1, -1, -1)))])
    yield "empty", pa.chunked_array([array[:0]])


def bits(values):
    """Values as texts that tell zeros and numbers of all bits apart."""
    return [repr(value) for value in values.to_pylist()]


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_that_are_written_come_back(name, tmp_path):
    array, expected = COLUMNS[name]
    for layout, column in laid_out(array):
        table = pa.table({"first": column, "second": pa.array(range(len(column)), "int32"), "third": column})
        assert ndbytes.write_idv(tmp_path / "x.idv", table) == len(column)
        read = pa.table(ndbytes.open(tmp_path / "x.idv"))
        read.validate(full=True)
        assert read.column_names == table.column_names and read["second"].to_pylist() == table["second"].to_pylist()
        for place in ["first", "third"]:
            assert bits(read[place]) == bits(column), layout
            got = read[place].type
            if expected == "dictionary":
                # Categories are those of the values: without any, there is a number of none.
                kind = pa.uint32() if layout == "empty" else pa.dictionary(pa.uint32(), array.type.value_type)
                assert got == kind, layout
            else:
                assert got == (expected or array.type), layout


@pytest.mark.parametrize("name", NO_COLUMNS)
def test_a_column_that_idv_lacks_is_refused(name, tmp_path):
    with pytest.raises(ValueError, match="which IDV cannot hold"):
        ndbytes.write_idv(tmp_path / "x.idv", pa.table({"a": NO_COLUMNS[name]}))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["date32", "date64"])
def test_days_become_times_at_their_midnights(kind, tmp_path):
    days = [datetime.date(*day) for day in [(1, 1, 1), (1600, 2, 29), (1969, 12, 31), (1970, 1, 1), (2000, 2, 29), (9999, 12, 31)]]
    assert ndbytes.write_idv(tmp_path / "x.idv", pa.table({"day": pa.array(days, getattr(pa, kind)())})) == len(days)
    table = ndbytes.open(tmp_path / "x.idv")
    assert str(table["day"].type) == "DateTime"
    ticks = pa.table(table.with_options(times="ticks"))["day"].to_pylist()
    assert ticks == [(day.toordinal() - 1) * 864_000_000_000 for day in days]
    read = pa.table(table)["day"]
    assert read.type == pa.timestamp("us")
    assert read.to_pylist() == [datetime.datetime(day.year, day.month, day.day) for day in days]


@pytest.mark.parametrize("day", [-719_163, 2_932_897])
def test_a_day_that_net_lacks_is_refused(day, tmp_path):
    for days in [pa.array([0, day], pa.int32()).view(pa.date32()), pa.array([0, day * 86_400_000], pa.int64()).view(pa.date64())]:
        with pytest.raises(ValueError, match="not between the years 1 and 9999"):
            ndbytes.write_idv(tmp_path / "x.idv", pa.table({"day": days}))
    assert not list(tmp_path.iterdir())


def test_every_half_float_becomes_the_single_of_its_value(tmp_path):
    halves = np.arange(1 << 16, dtype="u2").view("f2")
    ndbytes.write_idv(tmp_path / "x.idv", pa.table({"half": pa.array(halves)}))
    table = ndbytes.open(tmp_path / "x.idv")
    assert str(table["half"].type) == "Single"
    np.testing.assert_array_equal(pa.table(table)["half"].to_numpy(), halves.astype("f4"), strict=True)
