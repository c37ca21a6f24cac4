"""What people write out of habit works as with NumPy, or is refused with a sentence that says what to write instead."""

import pickle

import ndbytes
import numpy as np
import polars
import pyarrow
import pytest
from conftest import SAMPLES


@pytest.fixture
def array():
    return ndbytes.open_array(SAMPLES / "temperatures.b2nd")


@pytest.fixture
def table():
    return ndbytes.open_table(SAMPLES / "trees.idv")


@pytest.fixture
def archive(tmp_path):
    np.savez(tmp_path / "two.npz", a=np.arange(3), b=np.ones((2, 2)))
    return ndbytes.open_archive(tmp_path / "two.npz")


OPERATIONS = {
    "plus": lambda a: a + 1,
    "from the right": lambda a: 2 - a,
    "less": lambda a: a < 200,
    "equal": lambda a: a == 90,
    "with another": lambda a: a * a,
    "beside NumPy's": lambda a: np.ones(6) + a,
    "mask": lambda a: a[a > 300],
    "negative": lambda a: -a,
    "power": lambda a: a**2,
    "mean": np.mean,
    "concatenate": lambda a: np.concatenate([a, a]),
    "rows": lambda a: np.stack(list(a)),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_gives_what_numpy_gives(name, array):
    given, expected = OPERATIONS[name](array), OPERATIONS[name](np.asarray(array))
    assert isinstance(given, type(expected))
    np.testing.assert_array_equal(given, expected)


def test_values_are_found_in_an_array(array):
    assert 90 in array
    assert -1 not in array


def test_an_array_is_a_key_by_itself(array):
    again = ndbytes.open_array(SAMPLES / "temperatures.b2nd")
    assert len({array, array, again}) == 2


def test_an_array_is_not_changed_in_place(array):
    before = array
    array += 1
    assert isinstance(array, np.ndarray)
    assert before[0, 0] == 90
    with pytest.raises(TypeError, match="item assignment"):
        before[0] = 1


def test_an_array_of_several_elements_is_neither_true_nor_false(array, tmp_path):
    with pytest.raises(ValueError, match="`size`"):
        bool(array)
    for value in (0.0, 1.0):
        np.save(tmp_path / "one.npy", [value])
        assert bool(ndbytes.open_array(tmp_path / "one.npy")) is bool(value)


@pytest.mark.parametrize("name", ["mean", "T", "astype", "reshape", "tolist", "copy", "sum"])
def test_a_method_of_numpy_is_named_where_it_is(name, array):
    assert not hasattr(array, name)
    with pytest.raises(AttributeError, match=f"numpy.asarray\\(array\\).{name}"):
        getattr(array, name)


def test_a_table_gives_columns_and_selections_by_names(table):
    assert table["Name"].name == "Name"
    assert table[["Name", "Label"]].columns == ["Name", "Label"]
    with pytest.raises(KeyError, match='no column "No"'):
        table["No"]


@pytest.mark.parametrize("key", [0, slice(0, 2), 1.5, None])
def test_a_table_is_not_indexed_by_rows(key, table):
    with pytest.raises(TypeError, match="rows\\(start, stop\\)"):
        table[key]


@pytest.mark.parametrize("name, words", [("Name", "table\\['Name'\\]"), ("shape", "len\\(table\\)"), ("head", "to_polars")])
def test_an_attribute_that_a_table_lacks_is_named_where_it_is(name, words, table):
    with pytest.raises(AttributeError, match=words):
        getattr(table, name)


def test_a_table_goes_to_other_packages(table):
    assert table.to_pandas().shape == (4, 4)
    assert table.to_polars().equals(polars.DataFrame(table))
    assert table.to_arrow().equals(pyarrow.table(table))


def test_a_column_is_indexed_as_its_values_are(table):
    for name in ("Name", "Features", "Evergreen"):
        column, values = table[name], table[name].read()
        for key in (0, -1, slice(1, 3), slice(None, None, -1), slice(3, 0, -2), slice(2, 2), slice(-2, None), slice(9, 12)):
            np.testing.assert_array_equal(column[key], values[key])
        np.testing.assert_array_equal(np.array(list(column)), np.array(list(values)))
    for place in (4, -5):
        with pytest.raises(IndexError, match=f"row {place} is out of range: there are 4 rows"):
            table["Name"][place]
    with pytest.raises(TypeError, match="by a row or a slice"):
        table["Name"]["x"]
    with pytest.raises(AttributeError, match="`read\\(\\)`"):
        table["Name"].to_numpy()


def test_a_member_of_an_npz_has_the_name_that_numpy_gives(archive):
    assert archive["a"][:].tolist() == [0, 1, 2]
    assert "a" in archive and "a.npy" in archive and "c" not in archive
    assert archive.get("b").shape == (2, 2)
    with pytest.raises(KeyError, match='no member is named "c"'):
        archive["c"]
    with pytest.raises(AttributeError, match="`keys\\(\\)`"):
        archive.files


def test_one_rule_is_tolerated_by_its_name():
    path = SAMPLES / "interrupted-idx3-ubyte"
    one = ndbytes.open_array(path, tolerate="idx/truncated-payload")
    assert one.shape == ndbytes.open_array(path, tolerate=["idx/truncated-payload"]).shape


def test_a_report_is_a_sequence_that_can_be_pickled():
    report = ndbytes.check(SAMPLES / "interrupted-idx3-ubyte")
    assert report[-1] == report[0]
    assert report[:1] == [report[0]]
    with pytest.raises(IndexError):
        report[1]
    again = pickle.loads(pickle.dumps(report))
    assert again.to_dict() == report.to_dict()
    assert again.to_dict()["findings"][0]["rule"] == "idx/truncated-payload"
    result = ndbytes.preflight(SAMPLES)
    assert pickle.loads(pickle.dumps(result)).broken.keys() == result.broken.keys()


@pytest.mark.parametrize("function", [ndbytes.explain, ndbytes.info])
def test_values_are_no_path(function, array):
    with pytest.raises(TypeError, match="`ndbytes.save` writes"):
        function(np.ones(3))


def test_values_are_compared_and_drawn_like_files():
    assert ndbytes.diff(np.ones(3), np.ones(3)).equal
    assert not ndbytes.diff(np.ones(3), np.zeros(3)).equal
    assert "<svg" in ndbytes.show(np.arange(3.0)).svg


def test_bytes_are_compared_and_drawn_like_files():
    content = (SAMPLES / "surface.ra").read_bytes()
    for given in [content, bytearray(content), memoryview(content), memoryview(content[::-1])[::-1]]:
        assert ndbytes.diff(given, SAMPLES / "surface.ra").equal
        assert "<svg" in ndbytes.show(given).svg
    assert ndbytes.diff(content, content[:70] + b"?" + content[71:])["verdict"] == "values differ"


def test_a_file_that_is_open_as_text_is_refused():
    with open(SAMPLES / "surface.ra", encoding="latin-1") as file, pytest.raises(TypeError, match='"rb"'):
        ndbytes.open(file)


@pytest.mark.parametrize(
    ("name", "words"), [("load", "ndbytes.open"), ("dump", "ndbytes.save"), ("validate", "ndbytes.check")]
)
def test_a_function_that_others_have_is_named_where_it_is(name, words):
    assert not hasattr(ndbytes, name)
    with pytest.raises(AttributeError, match=f"`{words}`"):
        getattr(ndbytes, name)


def test_several_files_and_other_kinds_are_refused_with_the_function_that_takes_them(tmp_path):
    with pytest.raises(TypeError, match="`preflight` and `check_batch` take several files"):
        ndbytes.check([SAMPLES / "surface.ra"])
    with pytest.raises(ValueError, match="`ndbytes.write_idv` writes tables"):
        ndbytes.save(tmp_path / "x.idv", np.ones(3))
    with pytest.raises(ValueError, match="or `numpy.savez`"):
        ndbytes.save(tmp_path / "x.npz", np.ones(3))


def test_a_module_for_another_package_is_there_without_an_import():
    assert ndbytes.polars.scan_idv(SAMPLES / "trees.idv").collect().height == 4
    with pytest.raises(AttributeError, match="no attribute 'torch'"):
        ndbytes.torch
