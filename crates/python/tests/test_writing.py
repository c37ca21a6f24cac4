"""Writing, and the tool's commands."""

import pickle
import subprocess
import sys

import ndbytes
import numpy as np
import pytest
from conftest import SAMPLES

VALUES = np.arange(60, dtype=np.float32).reshape(3, 4, 5)


@pytest.mark.parametrize("name", ["a.b2nd", "a.npy", "a.idx", "a.idx.gz", "a-idx3-float", "a.ra"])
def test_what_is_saved_is_read(name, tmp_path):
    format = "idx" if "idx3" in name else None
    ndbytes.save(tmp_path / name, VALUES, format=format)
    array = np.asarray(ndbytes.open(tmp_path / name))
    assert array.shape == VALUES.shape and (array == VALUES).all()


def test_numpy_reads_what_is_saved(tmp_path):
    for values in [VALUES, np.asfortranarray(VALUES), VALUES[::2, 1:], np.array(7), np.zeros((0, 3)), VALUES.astype(">f8")]:
        ndbytes.save(tmp_path / "a.npy", values)
        read = np.load(tmp_path / "a.npy")
        assert read.shape == values.shape and (read == values).all()


def test_options_of_b2nd_are_kept(tmp_path):
    path = tmp_path / "a.b2nd"
    attrs = {"unit": "K", "range": [1, 2.5, None, True], "nested": {"a": b"bytes"}}
    ndbytes.save(path, VALUES, chunks=(2, 4, 5), blocks=(1, 2, 5), codec="lz4", level=9, filters=["bitshuffle"], attrs=attrs)
    array = ndbytes.open(path)
    assert array.chunks == (2, 4, 5) and array.blocks == (1, 2, 5) and array.attrs == attrs
    details = ndbytes.info(path)["details"]
    assert details["codec"] == "LZ4, level 9" and details["filters"] == "bitshuffle"


TUPLES = {"range": (0, 1.5), "none": (), "nested": [(1, ("a", [2])), []], "keys": {(1, 2): (3,)}, "list": ["tuple"]}


def test_attributes_that_are_tuples_come_back_as_tuples(tmp_path):
    ndbytes.save(tmp_path / "a.b2nd", VALUES, attrs=TUPLES)
    attrs = ndbytes.open(tmp_path / "a.b2nd").attrs
    # Lists and tuples are never equal.
    assert attrs == TUPLES
    ndbytes.convert(tmp_path / "a.b2nd", tmp_path / "b.b2nd")
    assert ndbytes.open(tmp_path / "b.b2nd").attrs == TUPLES


def test_attributes_that_are_tuples_are_those_of_python_blosc2(tmp_path):
    blosc2 = pytest.importorskip("blosc2")
    # Its reader takes no lists as keys of maps.
    tuples = {name: value for name, value in TUPLES.items() if name != "keys"}
    ndbytes.save(tmp_path / "a.b2nd", VALUES, attrs=tuples)
    # Its attributes live as long as its array.
    opened = blosc2.open(str(tmp_path / "a.b2nd"))
    theirs = opened.schunk.vlmeta
    assert {name: theirs[name] for name in tuples} == tuples
    array = blosc2.asarray(VALUES, urlpath=str(tmp_path / "c.b2nd"), meta={"places": ("north", 1)})
    for name, value in tuples.items():
        array.schunk.vlmeta[name] = value
    mine = ndbytes.open(tmp_path / "c.b2nd")
    assert mine.attrs == tuples and mine.meta["places"] == ("north", 1)


def test_structures_and_times_are_written(tmp_path):
    for values in [
        np.zeros(3, dtype=[("a", "<i4"), ("b", "<f8", (2,))]),
        np.array(["2026-11-23"], dtype="M8[D]"),
        np.array(["zwei", "drei"]),
        np.array([1 + 2j]),
        np.array([True, False]),
    ]:
        ndbytes.save(tmp_path / "a.b2nd", values)
        read = np.asarray(ndbytes.open(tmp_path / "a.b2nd"))
        assert read.dtype == values.dtype and (read == values).all()


def test_what_cannot_be_written_is_refused_and_leaves_no_file(tmp_path):
    refused = [
        ({"format": "tiff"}, VALUES, ValueError),
        ({"format": "b2nd", "codec": "brotli"}, VALUES, ValueError),
        ({"format": "npy", "codec": "lz4"}, VALUES, ValueError),
        ({"format": "npy"}, np.array([object()]), TypeError),
        ({"format": "idx"}, np.array([1 + 2j]), ValueError),
        ({"format": "b2nd", "attrs": {"a": object()}}, VALUES, TypeError),
        ({"format": "b2nd", "attrs": {"a": [1, ["__tuple__", 2]]}}, VALUES, ValueError),
    ]
    for options, values, error in refused:
        with pytest.raises(error):
            ndbytes.save(tmp_path / "a", values, **options)
    nested = []
    for _ in range(100_000):
        nested = [nested]
    with pytest.raises(ValueError, match="deep"):
        ndbytes.save(tmp_path / "a.b2nd", VALUES, attrs={"a": nested})
    assert not list(tmp_path.iterdir())


def test_types_that_no_format_holds_are_refused_by_name(tmp_path):
    types = pytest.importorskip("ml_dtypes")
    deep = np.dtype("u1")
    for _ in range(10):
        deep = np.dtype([("a", deep)])
    half = np.dtype([("\ud800", "u1")])
    masked = np.ma.array([1, 2], mask=[True, False])
    refused = [
        (np.array([object()]), "Python objects"),
        (np.zeros(2, [("a", "u1"), ("b", "O")]), "Python objects"),
        (np.zeros(2, types.float8_e4m3fn), "float8_e4m3fn is not a type of NumPy"),
        (np.zeros(2, [("a", types.int4, (3,))]), "int4 is not a type of NumPy"),
        (np.zeros(2, half), "is not Unicode"),
        (np.zeros(2, [("a", deep)]), "nested more than 10 deep"),
        (np.zeros(0, [("a", "u1", (1 << 20, 0))]), "too many values"),
        (masked, "masked elements have no value"),
    ]
    for values, words in refused:
        for format in ["npy", "b2nd", "idx", "ra"]:
            with pytest.raises(TypeError, match=words):
                ndbytes.save(tmp_path / "a", values, format=format)
    assert not list(tmp_path.iterdir())
    for format in ["npy", "b2nd"]:
        ndbytes.save(tmp_path / "a", np.zeros(2, deep), format=format)
        assert ndbytes.open(tmp_path / "a").dtype == deep
    ndbytes.save(tmp_path / "a", np.ma.array([1, 2]), format="npy")
    assert np.load(tmp_path / "a").tolist() == [1, 2]


def test_metadata_of_a_dtype_is_left_out_with_a_warning(tmp_path):
    values = np.zeros(2, [("a", np.dtype("u1", metadata={"unit": "K"}))])
    with pytest.warns(ndbytes.FileWarning, match="metadata of the dtype is dropped") as caught:
        ndbytes.save(tmp_path / "a.npy", values)
    assert caught[0].filename == __file__ and caught[0].message.finding is None
    assert ndbytes.open(tmp_path / "a.npy").shape == (2,)


def test_convert_writes_the_kind_of_the_name(tmp_path):
    with pytest.warns(ndbytes.FileWarning, match="metalayer"):
        ndbytes.convert(SAMPLES / "temperatures.b2nd", tmp_path / "t.npy", lossy=True)
    assert (np.load(tmp_path / "t.npy") == np.asarray(ndbytes.open(SAMPLES / "temperatures.b2nd"))).all()
    with pytest.warns(ndbytes.FileWarning, match="metalayer"):
        ndbytes.convert(SAMPLES / "temperatures.b2nd", tmp_path / "u.npy")
    with pytest.raises(ValueError, match="metalayer"):
        ndbytes.convert(SAMPLES / "temperatures.b2nd", tmp_path / "v.npy", strict=True)
    assert not (tmp_path / "v.npy").exists()


def test_explanations_are_fields_text_and_a_page():
    explanation = ndbytes.explain(SAMPLES / "surface.ra")
    assert explanation.fields[0]["offset"] == 0 and "elbyte" in str(explanation)
    assert "<html" in explanation.html and "<iframe" in explanation._repr_html_()


def test_differences_are_told():
    same = ndbytes.diff(SAMPLES / "surface.ra", SAMPLES / "surface.ra")
    assert same["verdict"] == "identical"
    other = ndbytes.diff(SAMPLES / "surface.ra", SAMPLES / "digits-idx1-ubyte")
    assert other["verdict"] != "identical"


def test_differences_within_a_tolerance_are_none(tmp_path):
    numbers = np.arange(6, dtype="f4")
    ndbytes.save(tmp_path / "a.npy", numbers)
    ndbytes.save(tmp_path / "b.npy", numbers + np.float32(0.25))
    paths = tmp_path / "a.npy", tmp_path / "b.npy"
    found = ndbytes.diff(*paths, most=2)
    assert not found.equal and len(found["values"]["first"]) == 2
    assert "values differ" in str(found) and "<html" in found.html and "values differ" in found._repr_html_()
    within = ndbytes.diff(*paths, atol=0.25, values_only=True)
    assert within.equal and pickle.loads(pickle.dumps(within)) == within
    with pytest.raises(ValueError, match="cannot be used with"):
        ndbytes.diff(*paths, structure_only=True, values_only=True)


def test_arrays_are_drawn(tmp_path):
    picture = ndbytes.show(f"{SAMPLES / 'digits-idx3-ubyte.gz'}[0]")
    assert picture.png.startswith(b"\x89PNG") and picture._repr_png_() == picture.png
    assert picture.svg.startswith("<svg") and str(picture).strip()
    picture.save(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes() == picture.png
    assert ndbytes.show(SAMPLES / "temperatures.b2nd", as_="histogram").png != picture.png
    with pytest.raises(ValueError, match="table"):
        ndbytes.show(SAMPLES / "trees.idv").png
    ndbytes.diff(SAMPLES / "surface.ra", SAMPLES / "surface.ra", picture=tmp_path / "d.svg")
    assert (tmp_path / "d.svg").read_text().startswith("<svg")


def test_versions_are_merged(tmp_path):
    for name, items in {"base": [1, 2, 3], "ours": [9, 2, 3], "theirs": [1, 2, 8], "other": [7, 2, 3]}.items():
        ndbytes.save(tmp_path / f"{name}.idx", np.array(items, "u1"))
    base, ours, theirs, other = (tmp_path / f"{name}.idx" for name in ["base", "ours", "theirs", "other"])
    ndbytes.merge(base, ours, theirs, tmp_path / "out.idx")
    assert np.asarray(ndbytes.open_array(tmp_path / "out.idx")).tolist() == [9, 2, 8]
    with pytest.raises(ValueError, match=r"item \[0\]: 1 became 9 in ours, 7 in theirs"):
        ndbytes.merge(base, ours, other, tmp_path / "none.idx")
    assert not (tmp_path / "none.idx").exists()
    ndbytes.merge(base, ours, other, tmp_path / "decided.idx", conflicts="theirs")
    assert np.asarray(ndbytes.open_array(tmp_path / "decided.idx")).tolist() == [7, 2, 3]


def test_files_are_made_on_purpose(tmp_path):
    ndbytes.forge(tmp_path / "broken", broken="idx/truncated-payload", count=2, seed=1)
    reports = [ndbytes.check(path) for path in sorted((tmp_path / "broken").iterdir())]
    assert [report.findings[0].rule for report in reports] == ["idx/truncated-payload"] * 2
    ndbytes.forge(tmp_path / "mutants", mutate=True, from_=SAMPLES / "surface.ra", count=3, manifest=True)
    assert (tmp_path / "mutants" / "manifest.jsonl").is_file()
    with pytest.raises(ValueError, match="is not empty"):
        ndbytes.forge(tmp_path / "mutants", valid=True)


def test_layouts_are_dictionaries():
    assert [layout["name"] for layout in ndbytes.schema("npy")] == ["npy"]
    assert len(ndbytes.schema()) > 5


def test_files_of_another_content_are_refused_by_class():
    array, table = SAMPLES / "surface.ra", SAMPLES / "trees.idv"
    assert isinstance(ndbytes.open_array(array), ndbytes.Array)
    assert isinstance(ndbytes.open_table(table, memory=1 << 20), ndbytes.Table)
    with pytest.raises(TypeError, match="the file holds a table, not an array"):
        ndbytes.open_array(table)
    with pytest.raises(TypeError, match="the file holds an array, not an archive"):
        ndbytes.open_archive(array)


def test_rules_have_names():
    assert "idx/truncated-payload" in {rule["id"] for rule in ndbytes.rules()}


def test_the_tool_comes_with_the_package():
    command = [sys.executable, "-m", "ndbytes", "check", str(SAMPLES / "interrupted-idx3-ubyte")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and "idx/truncated-payload" in done.stdout


def test_preflight_tells_what_is_broken(tmp_path):
    told = []
    result = ndbytes.preflight(SAMPLES, progress=lambda so_far: told.append(so_far.files))
    assert [path.rsplit("/")[-1] for path in result.broken] == ["interrupted-idx3-ubyte"]
    assert result.files == 6 and not result.ok and told == [6] and "idx/truncated-payload" in str(result)
    (tmp_path / "readme.txt").write_text("text")
    assert ndbytes.preflight(tmp_path).foreign == 1 and not ndbytes.preflight(tmp_path)
    assert ndbytes.preflight([str(tmp_path / "none")]).unreadable


def test_a_changed_byte_that_no_reader_sees_is_told_beside_a_seal(tmp_path):
    path = tmp_path / "x.ra"
    path.write_bytes((SAMPLES / "surface.ra").read_bytes())
    ndbytes.seal(path)
    assert ndbytes.check(path, sealed=True).ok
    content = bytearray(path.read_bytes())
    content[70] ^= 1
    path.write_bytes(content)
    assert ndbytes.check(path).ok
    report = ndbytes.check(path, sealed=True)
    assert [(finding.rule, finding.field) for finding in report.findings] == [("changed", "data")]
    assert not ndbytes.check(path, sealed=tmp_path / "x.ra.seal").ok
    with pytest.raises(ValueError, match="opened by its path"):
        ndbytes.check(bytes(content), sealed=True)
    with pytest.raises(FileNotFoundError):
        ndbytes.check(SAMPLES / "trees.idv", sealed=True)
    path.with_suffix(".seal").write_text("ndbytes seal 1\nfile x")
    with pytest.raises(ValueError, match="line 2 of the seal"):
        ndbytes.check(path, sealed=path.with_suffix(".seal"))


def test_a_preflight_of_a_sealed_folder_tells_what_changed_is_new_or_gone(tmp_path):
    for name in ["surface.ra", "temperatures.b2nd", "trees.idv"]:
        (tmp_path / name).write_bytes((SAMPLES / name).read_bytes())
    (tmp_path / "readme.txt").write_text("text")
    ndbytes.seal(tmp_path)
    result = ndbytes.preflight(tmp_path, sealed=True)
    assert (result.ok, result.files, result.foreign) == (True, 3, 1)
    (tmp_path / "surface.ra").write_bytes((SAMPLES / "surface.ra").read_bytes()[:70])
    (tmp_path / "trees.idv").rename(tmp_path / "more.idv")
    result = ndbytes.preflight(tmp_path, sealed=True)
    broken = {path.rsplit("/")[-1]: report.findings[-1].rule for path, report in result.broken.items()}
    assert broken == {"surface.ra": "changed", "trees.idv": "changed", "more.idv": "changed"}
    with pytest.raises(ValueError, match="name the seal"):
        ndbytes.preflight([tmp_path / "surface.ra"], sealed=True)
    with pytest.raises(ValueError, match="errors"):
        ndbytes.seal(tmp_path)


def test_fix_writes_a_repaired_copy_and_tells_what_was_given_up(tmp_path):
    broken = tmp_path / "cut.npy"
    # No byte is 10: a file in which line ends may have been lost is not cut.
    np.save(broken, np.arange(20, 32, dtype="<i4").reshape(4, 3))
    broken.write_bytes(broken.read_bytes()[:-1])
    (told,) = ndbytes.fix(broken, dry_run=True)
    assert (told["outcome"], told["target"], told["findings"]) == ("repaired", None, [])
    assert [step["rule"] for step in told["steps"]] == ["npy/truncated-payload"]
    assert told["steps"][0]["given_up"].startswith("1 item of 4")
    (told,) = ndbytes.fix([broken], out=tmp_path / "clean", memory=1 << 24)
    assert told["target"] == str(tmp_path / "clean" / "cut.npy")
    assert np.load(told["target"]).tolist() == [[20, 21, 22], [23, 24, 25], [26, 27, 28]]
    (told,) = ndbytes.fix(broken, out=tmp_path / "clean")
    assert (told["outcome"], told["target"]) == ("failed", None) and "it exists already" in told["error"]


def test_fix_names_what_cannot_be_read_and_mends_the_others(tmp_path):
    broken, missing, sound = tmp_path / "cut.npy", tmp_path / "missing.npy", tmp_path / "sound.npy"
    for path in (broken, sound):
        np.save(path, np.arange(3))
    broken.write_bytes(broken.read_bytes()[:-1])
    told = ndbytes.fix([missing, broken, sound], out=tmp_path / "clean")
    assert [file["outcome"] for file in told] == ["failed", "repaired", "ok"]
    assert told[0]["path"] == str(missing) and told[0]["error"].startswith(f"{missing}: ")
    assert [file["error"] for file in told[1:]] == [None, None]
    assert [path.name for path in (tmp_path / "clean").iterdir()] == ["cut.npy"]
    (told,) = ndbytes.fix(missing, dry_run=True)
    assert told["outcome"] == "failed"
    with pytest.raises(ValueError, match="invalid value"):
        ndbytes.fix(broken, dry_run=True, byte_order="odd")
    with pytest.raises(ValueError, match="nothing was repaired"):
        (tmp_path / "empty").mkdir()
        ndbytes.fix(tmp_path / "empty", dry_run=True)


def test_fix_tells_files_that_cannot_be_mended(tmp_path):
    (tmp_path / "a.idx").write_bytes(b"\0\0\x0a\1\0\0\0\0")
    (told,) = ndbytes.fix(tmp_path / "a.idx", out=tmp_path / "clean")
    assert told["outcome"] == "broken" and told["findings"][0]["rule"] == "unknown-format"
    with pytest.raises(ValueError, match="`out` names the folder"):
        ndbytes.fix(tmp_path)


@pytest.mark.parametrize(
    "option",
    [{"chunks": (1, 1, 1)}, {"blocks": (1, 1, 1)}, {"codec": "zstd"}, {"level": 1}, {"filters": []}, {"attrs": {}}],
    ids=lambda option: next(iter(option)),
)
def test_an_option_of_b2nd_is_refused_for_other_formats(tmp_path, option):
    with pytest.raises(ValueError, match="chunks, blocks, codec, level, filters and attrs work only with b2nd"):
        ndbytes.save(tmp_path / "a.npy", VALUES, **option)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("idv", "; `ndbytes.write_idv` writes tables"),
        ("npz", "; write .npz with `ndbytes.convert` or `numpy.savez`"),
        ("csv", ""),
    ],
)
def test_a_kind_that_save_does_not_write_names_the_function_that_does(tmp_path, kind, words):
    for options in [{"path": tmp_path / f"a.{kind}"}, {"path": tmp_path / "a", "format": kind}]:
        with pytest.raises(ValueError) as error:
            ndbytes.save(array=VALUES, **options)
        assert str(error.value).endswith(words) and (words or ";" not in str(error.value)), str(error.value)
