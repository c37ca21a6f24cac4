"""`with` closes what is open. What was made of it stays."""

import pickle
import zipfile

import ndbytes
import numpy as np
import pyarrow
import pytest
from conftest import SAMPLES


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / "model.zip"
    np.save(tmp_path / "numbers.npy", [1.5, 2.5])
    with zipfile.ZipFile(path, "w") as made:
        made.write(tmp_path / "numbers.npy", "numbers.npy")
    return path


OPENED = {
    "array": lambda archive: ndbytes.open_array(SAMPLES / "surface.ra"),
    "decoded array": lambda archive: ndbytes.open_array(SAMPLES / "temperatures.b2nd"),
    "table": lambda archive: ndbytes.open_table(SAMPLES / "trees.idv"),
    "archive": lambda archive: ndbytes.open_archive(archive),
}


@pytest.mark.parametrize("kind", OPENED)
def test_a_handle_is_closed_after_its_block(kind, archive):
    with OPENED[kind](archive) as opened:
        assert not opened.closed
        assert len(opened) > 0
    assert opened.closed
    assert "closed" in repr(opened)
    with pytest.raises(ValueError, match=f"the {kind.split()[-1]} is closed"):
        len(opened)
    with pytest.raises(ValueError, match="is closed"):
        opened.__enter__()
    opened.close()


@pytest.mark.parametrize("kind", OPENED)
def test_a_handle_is_closed_by_an_exception_that_goes_on(kind, archive):
    opened = OPENED[kind](archive)
    with pytest.raises(KeyError, match="mine"), opened:
        raise KeyError("mine")
    assert opened.closed


@pytest.mark.parametrize("kind", ["array", "decoded array"])
def test_a_closed_array_reads_nothing(kind, archive):
    opened = OPENED[kind](archive)
    opened.close()
    for use in (np.asarray, memoryview, lambda it: it[0], lambda it: it.shape, lambda it: it.stats(), np.from_dlpack):
        with pytest.raises(ValueError, match="the array is closed"):
            use(opened)


def test_a_closed_table_reads_nothing(archive):
    opened = OPENED["table"](archive)
    opened.close()
    for use in (pyarrow.table, lambda it: it["Name"], lambda it: it.columns, lambda it: it.select([]), lambda it: "a" in it):
        with pytest.raises(ValueError, match="the table is closed"):
            use(opened)


def test_views_stay_after_their_array_is_closed():
    expected = np.array(ndbytes.open_array(SAMPLES / "surface.ra"))
    opened = ndbytes.open_array(SAMPLES / "surface.ra")
    view, buffer = np.asarray(opened), memoryview(opened)
    opened.close()
    del opened
    np.testing.assert_array_equal(view, expected)
    np.testing.assert_array_equal(np.asarray(buffer), expected)
    assert view.base is not None


def test_columns_and_selections_stay_after_their_table_is_closed():
    with ndbytes.open_table(SAMPLES / "trees.idv") as table:
        column, selected = table["Name"], table.select(["Name"])
        stream = pyarrow.RecordBatchReader.from_stream(table)
    assert column.read()[0] == "pine"
    assert not selected.closed
    assert pyarrow.table(selected).num_rows == 4
    assert stream.read_all().num_rows == 4


def test_members_stay_after_their_archive_is_closed(archive):
    with ndbytes.open_archive(archive) as opened:
        member = opened["numbers.npy"]
    assert member[:].tolist() == [1.5, 2.5]
    with pytest.raises(ValueError, match="the archive is closed"):
        opened["numbers.npy"]


def test_a_closed_handle_is_open_again_in_another_process():
    """A pickle names the file, which is opened anew."""
    opened = ndbytes.open_array(SAMPLES / "surface.ra")
    opened.close()
    assert pickle.loads(pickle.dumps(opened)).shape == (4, 6)
