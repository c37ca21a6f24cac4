"""Tables of pyarrow that are not valid: none is believed."""

import numpy as np
import pyarrow as pa
import pytest

import ndbytes


def numbers(kind, *values):
    return pa.py_buffer(np.array(values, kind).tobytes())


VIEW_WITHOUT_BUFFER = b"\x40\0\0\0abcd\x05\0\0\0\xff\xff\xff\x7f"
VIEW_BEYOND_BUFFER = b"\x40\0\0\0abcd\x00\0\0\0\xff\xff\xff\x0f"

CASES = {
    "offsets of texts": lambda: pa.StringArray.from_buffers(2, numbers("<i4", 0, 100000, 3), pa.py_buffer(b"abc")),
    "large offsets": lambda: pa.LargeStringArray.from_buffers(2, numbers("<i8", 0, 1 << 40, 3), pa.py_buffer(b"abc")),
    "the last offset": lambda: pa.StringArray.from_buffers(1, numbers("<i4", 0, 1 << 28), pa.py_buffer(b"abc")),
    "offsets of lists": lambda: pa.ListArray.from_buffers(
        pa.list_(pa.int8()), 2, [None, numbers("<i4", 0, 100000, 1)], children=[pa.array([1], pa.int8())]
    ),
    "offsets of binary": lambda: pa.BinaryArray.from_buffers(
        pa.binary(), 2, [None, numbers("<i4", 0, 16, 3), pa.py_buffer(b"abc")]
    ),
    "keys": lambda: pa.DictionaryArray.from_arrays(pa.array([0, 5, -1], pa.int32()), pa.array(["a", "b"]), safe=False),
    "a view of no buffer": lambda: pa.Array.from_buffers(pa.string_view(), 1, [None, pa.py_buffer(VIEW_WITHOUT_BUFFER)]),
    "a view beyond its buffer": lambda: pa.Array.from_buffers(
        pa.string_view(), 1, [None, pa.py_buffer(VIEW_BEYOND_BUFFER), pa.py_buffer(b"abcd")]
    ),
    "texts": lambda: pa.StringArray.from_buffers(2, numbers("<i4", 0, 3, 5), pa.py_buffer(b"\xff\xfe\xfdab")),
}


def as_table(column):
    return pa.table({"s": column})


def as_file(column):
    sink = pa.BufferOutputStream()
    table = as_table(column)
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return pa.ipc.open_file(sink.getvalue()).read_all()


def as_reader(column):
    table = as_table(column)
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches())


@pytest.mark.parametrize("way", [as_table, as_file, as_reader])
@pytest.mark.parametrize("case", CASES)
def test_a_table_that_is_not_valid_is_refused_and_nothing_is_written(tmp_path, case, way):
    path = tmp_path / "out.idv"
    with pytest.raises(ValueError):
        ndbytes.write_idv(path, way(CASES[case]()), nulls="default")
    assert list(tmp_path.iterdir()) == []


def test_a_valid_reader_of_batches_is_written(tmp_path):
    path = tmp_path / "out.idv"
    ndbytes.write_idv(path, as_reader(pa.array(["a", "b"])))
    assert pa.table(ndbytes.open(path))["s"].to_pylist() == ["a", "b"]
