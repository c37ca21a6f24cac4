"""Findings and warnings: said, pickled, as dictionaries; names of any bytes; statistics."""

import json
import os
import pickle
import subprocess
import sys
import warnings
import zipfile

import ndbytes
import numpy as np
import pytest
from conftest import SAMPLES

FIELD = SAMPLES / "temperatures.b2nd"


@pytest.fixture
def trailing(tmp_path):
    """A file that breaks a rule of severity warning."""
    path = tmp_path / "trailing.b2nd"
    path.write_bytes(FIELD.read_bytes() + b"\0")
    return path


def zipped(path, **members):
    with zipfile.ZipFile(path, "w") as file:
        for name, content in members.items():
            file.writestr(f"in/{name}", content)
    return path


def test_a_warning_is_said_where_the_file_is_opened(trailing):
    with pytest.warns(ndbytes.FileWarning) as caught:
        array = ndbytes.open(trailing)
    (said,) = caught
    assert said.filename == __file__ and said.message.finding == array.warnings[0]
    assert str(said.message) == f"{trailing}: {array.warnings[0]}" and "b2nd/trailing-bytes" in str(said.message)
    with pytest.warns(ndbytes.FileWarning, match="^bytes: .*b2nd/trailing-bytes"):
        ndbytes.open(trailing.read_bytes())
    with pytest.warns(ndbytes.FileWarning, match="^BufferedReader: ") as caught, open(trailing, "rb") as file:
        ndbytes.open(file)
    again = pickle.loads(pickle.dumps(said.message))
    assert (str(again), again.finding) == (str(said.message), said.message.finding)


def test_a_warning_can_be_raised_or_hidden(trailing):
    with warnings.catch_warnings():
        warnings.simplefilter("error", ndbytes.FileWarning)
        with pytest.raises(ndbytes.FileWarning, match="trailing"):
            ndbytes.open(trailing)
        ndbytes.open(FIELD)
        warnings.simplefilter("ignore", ndbytes.FileWarning)
        assert ndbytes.open(trailing).shape == (168, 6)


def test_a_warning_about_a_member_names_it(trailing, tmp_path):
    path = zipped(tmp_path / "x.zip", trailing=trailing.read_bytes())
    with pytest.warns(ndbytes.FileWarning, match=r"x\.zip!in/trailing: ") as caught:
        ndbytes.open(path)["in/trailing"]
    assert caught[0].filename == __file__
    with pytest.warns(ndbytes.FileWarning, match="^!in/trailing: "):
        ndbytes.open(path.read_bytes())["in/trailing"]


def test_a_pickle_warns_where_it_is_opened_again(trailing):
    with pytest.warns(ndbytes.FileWarning):
        pickled = pickle.dumps(ndbytes.open(trailing))
    with pytest.warns(ndbytes.FileWarning) as caught:
        pickle.loads(pickled)
    assert caught[0].filename == __file__


def test_what_the_tool_says_is_a_warning(tmp_path):
    with pytest.warns(ndbytes.FileWarning, match='cannot hold the metalayer "places"') as caught:
        ndbytes.convert(FIELD, tmp_path / "t.npy", lossy=True)
    assert {said.filename for said in caught} == {__file__}
    assert all("dropped" in str(said.message) for said in caught)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for sample in ["temperatures.b2nd", "surface.ra", "trees.idv", "digits-idx1-ubyte"]:
            ndbytes.info(SAMPLES / sample), ndbytes.explain(SAMPLES / sample).fields
            ndbytes.diff(SAMPLES / sample, SAMPLES / sample), ndbytes.stats(SAMPLES / sample)


def broken_member(tmp_path):
    cut = (SAMPLES / "surface.ra").read_bytes()[:-1]
    return zipped(tmp_path / "x.zip", sound=(SAMPLES / "surface.ra").read_bytes(), cut=cut)


def test_a_finding_keeps_its_member_wherever_it_goes(tmp_path):
    (finding,) = ndbytes.check(broken_member(tmp_path)).findings
    assert (finding.rule, finding.member) == ("rawarray/truncated-payload", "in/cut")
    again = pickle.loads(pickle.dumps(finding))
    assert again == finding and again.member == "in/cut" and str(again) == str(finding)
    told = finding.to_dict()
    names = [name for name in dir(finding) if not name.startswith("_") and name != "to_dict"]
    assert told == {name: getattr(finding, name) for name in names}
    assert json.loads(json.dumps(told)) == told and told["member"] == "in/cut"


def test_an_error_keeps_its_finding_in_a_pickle(tmp_path):
    with pytest.raises(ndbytes.InvalidError) as caught:
        ndbytes.open(broken_member(tmp_path))["in/cut"]
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)
    assert (again.rule, again.offset, again.finding) == (caught.value.rule, caught.value.offset, caught.value.finding)


def test_options_reach_the_members_of_an_archive_without_a_path(tmp_path):
    long = (SAMPLES / "digits-idx1-ubyte").read_bytes() + b"x"
    content = zipped(tmp_path / "x.zip", sound=(SAMPLES / "surface.ra").read_bytes(), **{"long.idx": long}).read_bytes()
    with pytest.raises(ndbytes.InvalidError):
        ndbytes.open(content)["in/long.idx"]
    member = ndbytes.open(content, tolerate=["idx/trailing-bytes"])["in/long.idx"]
    assert [finding.rule for finding in member.tolerated] == ["idx/trailing-bytes"]


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes there")
def test_names_that_are_no_unicode_are_names(tmp_path):
    path = os.path.join(tmp_path, os.fsdecode(b"\xff.npy"))
    values = np.arange(6).reshape(2, 3)
    ndbytes.save(path, values)
    for source in [path, os.fsencode(path).decode("utf-8", "surrogateescape")]:
        array = ndbytes.open(source)
        assert (np.asarray(array) == values).all() and (np.load(path) == values).all()
        assert (np.asarray(pickle.loads(pickle.dumps(array))) == values).all()
        assert ndbytes.check(source).ok and ndbytes.stats(source)["series"][0]["max"] == 5
        assert ndbytes.info(source)["array"]["shape"] == [2, 3] and ndbytes.explain(source).fields
        assert ndbytes.diff(source, source)["verdict"] == "identical"
    out = os.path.join(tmp_path, os.fsdecode(b"\xfe.b2nd"))
    ndbytes.convert(path, out)
    assert (np.asarray(ndbytes.open(out)) == values).all()
    ndbytes.seal(path)
    assert ndbytes.check(path, sealed=True).ok
    gone = os.path.join(tmp_path, os.fsdecode(b"\xfd.npy"))
    for call in [ndbytes.open, ndbytes.check, ndbytes.stats]:
        with pytest.raises(FileNotFoundError) as caught:
            call(gone)
        assert caught.value.filename == gone


def tool(*arguments):
    done = subprocess.run([sys.executable, "-m", "ndbytes", *map(str, arguments)], capture_output=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", ["temperatures.b2nd", "surface.ra", "trees.idv", "digits-idx3-ubyte.gz"])
def test_statistics_are_those_of_the_tool(name):
    path = SAMPLES / name
    told = tool("stats", "--json", path)
    assert ndbytes.stats(path) == told
    del told["path"]
    opened = ndbytes.open(path)
    assert opened.stats() == ndbytes.stats(opened) == ndbytes.stats(path.read_bytes()) == told


def test_statistics_are_those_of_a_slice_or_of_any_array():
    field = ndbytes.open(FIELD)
    told = tool("stats", "--json", f"{FIELD}[6:12, ::2]")
    assert ndbytes.stats(field[6:12, ::2]) == {"series": told["series"]}
    values = np.asarray([[1.5, np.nan, -2], [np.inf, 0, 8]], order="F")
    (series,) = ndbytes.stats(values)["series"]
    assert (series["type"], series["values"], series["nan"], series["infinite"], series["zeros"]) == ("<f8", 6, 1, 1, 1)
    assert (series["min"], series["max"], series["mean"], series["distinct"]) == (-2, 8, 1.875, 5)
    inner = np.dtype([("a", "<i4"), ("b", "u1")], align=True)
    structures = np.zeros(3, [("s", inner), ("t", ">i2")])
    structures["t"], structures["s"]["a"] = [7, 8, 9], [1, 2, 3]
    told = {series["name"]: (series["min"], series["max"], series["sum"]) for series in ndbytes.stats(structures)["series"]}
    assert told == {"s.a": (1, 3, 6), "s.b": (0, 0, 0), "t": (7, 9, 24)}


def test_statistics_of_a_selection_are_those_of_its_columns():
    trees = ndbytes.open(SAMPLES / "trees.idv")
    names = [series["name"] for series in trees.select(["Features", "Name"]).stats()["series"]]
    assert names == ["Features", "Name"]


def test_an_archive_has_no_statistics(tmp_path):
    with pytest.raises(ValueError, match="those of a member"):
        ndbytes.stats(broken_member(tmp_path))
    assert ndbytes.stats(f"{tmp_path / 'x.zip'}!in/sound")["format"] == "rawarray"
