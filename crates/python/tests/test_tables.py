"""Tables: columns as arrays of NumPy, streams of Arrow, and back."""

import pickle

import ndbytes
import numpy as np
import pytest
from conftest import CORPUS, FROZEN, SAMPLES, files

pa = pytest.importorskip("pyarrow")

TABLES = [*files(SAMPLES, ".idv"), *files(CORPUS / "idv" / "ok", ".idv"), *files(FROZEN / "idv", ".idv")]


@pytest.fixture
def trees():
    return ndbytes.open(SAMPLES / "trees.idv")


def test_columns_are_arrays(trees):
    assert len(trees) == 4 and trees.columns == ["Name", "Label", "Features", "Evergreen"]
    features = trees["Features"]
    assert features.type == "Vector<Single, 3>" and features.read().shape == (4, 3)
    assert features.read(1, 3).tolist() == features.read()[1:3].tolist()
    assert np.asarray(features, dtype=np.float64).dtype == np.float64
    assert trees["Evergreen"].read().dtype == bool and trees["Name"].read().dtype == object
    assert "Name" in trees and "Other" not in trees
    with pytest.raises(KeyError):
        trees["Other"]


def test_keys_are_dictionaries(trees):
    label = pa.table(trees)["Label"]
    assert pa.types.is_dictionary(label.type)
    keys, names = trees["Label"].read(), trees["Label"].categories
    assert [names[key - 1] if key else None for key in keys] == label.to_pylist()


def test_a_selection_has_its_columns(trees):
    chosen = trees.select(["Features", "Name"])
    assert pa.table(chosen).schema.names == ["Features", "Name"]
    assert pa.table(chosen.rows(1, 3)).num_rows == 2
    assert pa.schema(chosen).names == ["Features", "Name"]
    again = pickle.loads(pickle.dumps(chosen.with_options(keys="text")))
    assert again.columns == ["Features", "Name"] and pa.table(again).equals(pa.table(chosen))
    with pytest.raises(KeyError):
        trees.select(["Other"])
    with pytest.raises(ValueError, match="is not one of the units"):
        trees.with_options(times="weeks")


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_tables_come_back(path, tmp_path):
    table = ndbytes.open(path).with_options(times="ticks", text="lossy")
    try:
        arrow = pa.table(table)
    except pa.ArrowInvalid as error:
        assert "choose the vectors struct" in str(error)
        arrow = pa.table(table.with_options(sparse="struct"))
        return arrow.validate(full=True)
    arrow.validate(full=True)
    assert arrow.num_rows == len(table)
    try:
        ndbytes.write_idv(tmp_path / "again.idv", arrow, nulls="default")
    except ValueError as error:
        pytest.skip(str(error))
    again = pa.table(ndbytes.open(tmp_path / "again.idv").with_options(times="ticks", text="lossy"))
    assert again.schema.names == arrow.schema.names and again.num_rows == arrow.num_rows


def test_batches_are_handed_over_once(trees):
    batches = trees.rows(0, 2)
    assert pa.table(batches).num_rows == 2
    with pytest.raises(ValueError, match="already been consumed"):
        pa.table(batches)


def test_what_is_no_table_is_refused(tmp_path):
    with pytest.raises(TypeError, match="__arrow_c_stream__"):
        ndbytes.write_idv(tmp_path / "x.idv", [1, 2, 3])
    assert not list(tmp_path.iterdir())


def test_an_error_of_a_stream_leaves_no_file(tmp_path):
    def batches():
        yield pa.record_batch({"a": [1, 2]})
        raise RuntimeError("the cable")

    reader = pa.RecordBatchReader.from_batches(pa.schema([("a", pa.int64())]), batches())
    with pytest.raises(ValueError, match="the cable"):
        ndbytes.write_idv(tmp_path / "x.idv", reader)
    assert not list(tmp_path.iterdir())


def test_findings_are_a_table():
    paths = [str(SAMPLES / "interrupted-idx3-ubyte"), str(SAMPLES / "surface.ra"), "none"]
    rows = pa.table(ndbytes.check_batch(paths)).to_pylist()
    assert [row["rule"] for row in rows] == ["idx/truncated-payload", "unreadable"]
    assert pa.table(ndbytes.check_batch(paths, "files")).num_rows == 3
    with pytest.raises(ValueError, match="findings, files, columns"):
        ndbytes.check_batch(paths, "rows")
