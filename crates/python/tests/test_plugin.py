"""The plugin of pytest, as tests of other projects have it."""

import sys
import subprocess

import ndbytes
import numpy as np
import pyarrow
import pytest
from conftest import SAMPLES
from ndbytes.pytest import assert_same


def test_values_within_the_tolerance_are_the_same(tmp_path):
    assert_same(SAMPLES / "surface.ra", SAMPLES / "surface.ra")
    assert_same([1.0, 2.0], np.array([1.0, 2.0 + 1e-9]), atol=1e-6)
    assert_same([1.0, 2.0], np.array([1.0, 2.0 + 1e-9]), rtol=1e-6)
    assert_same(ndbytes.open_array(SAMPLES / "surface.ra"), SAMPLES / "surface.ra")
    assert_same(ndbytes.open_table(SAMPLES / "trees.idv"), SAMPLES / "trees.idv")
    assert_same(pyarrow.table({"a": [1, 2]}), pyarrow.table({"a": [1, 2]}))


def test_a_difference_fails_with_the_verdict_the_place_and_a_picture(tmp_path):
    a, b = np.zeros((20, 30)), np.zeros((20, 30))
    b[3, 4] = 9
    with pytest.raises(AssertionError) as failed:
        assert_same(a, b, atol=1e-3, pictures=tmp_path)
    words = str(failed.value)
    assert words.startswith("not the same: values differ")
    assert "[3, 4]" in words
    (picture,) = tmp_path.glob("*.png")
    assert f"picture: {picture}" in words
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_difference_of_tables_fails_and_says_why_there_is_no_picture(tmp_path):
    with pytest.raises(AssertionError, match="picture: none, since"):
        assert_same(pyarrow.table({"a": [1, 2]}), pyarrow.table({"a": [1, 3]}), pictures=tmp_path)


def test_a_difference_of_much_fails_with_bounded_words(tmp_path):
    with pytest.raises(AssertionError) as failed:
        assert_same(np.zeros(100_000), np.ones(100_000), pictures=tmp_path)
    assert len(str(failed.value).splitlines()) <= 43


def test_a_file_that_cannot_be_read_is_no_difference(tmp_path):
    with pytest.raises(ValueError, match="absent.npy"):
        assert_same(tmp_path / "absent.npy", SAMPLES / "surface.ra")


def test_the_plugin_gives_a_fixture_and_an_option(tmp_path):
    (tmp_path / "test_other.py").write_text(
        "def test_same(assert_same):\n    assert_same([1.0], [1.0])\n"
        "def test_other(assert_same):\n    assert_same([[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 5.0]])\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--ndbytes-pictures=pictures", "test_other.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert "1 failed, 1 passed" in done.stdout, done.stdout
    assert "not the same: values differ" in done.stdout
    (picture,) = (tmp_path / "pictures").glob("*.png")
    assert "test_other" in picture.name
