"""What a notebook shows: every object has HTML that is whole, escaped and bounded, and that asks nobody else for anything."""

import os
import re
import struct
import zipfile
from html.parser import HTMLParser

import ndbytes
import numpy as np
import pyarrow
import pytest
from conftest import SAMPLES

HOSTILE = '<script>alert(1)</script>"\'&\u202e'
#: The maximum length of what an object shows, with a picture.
MOST = 120_000
VOID = {"br", "img"}


class Page(HTMLParser):
    """Reads a page, and notes what browsers would do with it."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.sources, self.words = [], set(), [], ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        for name, value in attributes:
            assert not name.startswith("on"), name
            if name in ("src", "href"):
                self.sources.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += data


def page(shown):
    html = shown._repr_html_()
    assert len(html) <= MOST
    assert "\u202e" not in html
    html.encode()
    read = Page(html)
    assert read.tags <= {"div", "span", "strong", "em", "code", "small", "br", "img", "table", "thead", "tbody", "tr", "th", "td"}
    assert all(source.startswith("data:image/png;base64,") for source in read.sources)
    return read


def test_an_array_shows_a_picture_and_its_range():
    shown = page(ndbytes.open_array(SAMPLES / "temperatures.b2nd"))
    assert "img" in shown.tags
    assert "168, 6" in shown.words and "372" in shown.words


def test_an_array_of_texts_shows_why_there_is_no_picture(tmp_path):
    np.save(tmp_path / "texts.npy", np.array([HOSTILE, "b"]))
    shown = page(ndbytes.open_array(tmp_path / "texts.npy"))
    assert "img" not in shown.tags
    assert "cannot be drawn" in shown.words


def test_a_structured_array_escapes_the_names_of_its_fields(tmp_path):
    np.save(tmp_path / "structured.npy", np.zeros(3, [(HOSTILE.replace("'", ""), "f4")]))
    assert "alert(1)" in page(ndbytes.open_array(tmp_path / "structured.npy")).words


@pytest.mark.parametrize("shape, part", [((3, 2048, 8192), "array[0, :1024]"), ((50_000_000,), "array[:33554432]")])
def test_a_large_array_shows_its_first_part_and_says_so(shape, part, tmp_path):
    path = tmp_path / "large.npy"
    file = np.lib.format.open_memmap(path, "w+", np.uint8 if len(shape) == 1 else np.float32, shape)
    del file
    assert part in page(ndbytes.open_array(path)).words


@pytest.mark.parametrize("shape", [(), (0,), (0, 5), (1,), (3, 0, 2)])
def test_an_array_of_few_items_is_shown(shape, tmp_path):
    np.save(tmp_path / "few.npy", np.zeros(shape))
    assert "Array" in page(ndbytes.open_array(tmp_path / "few.npy")).words


def test_an_array_of_a_broken_chunk_shows_the_reason(tmp_path):
    path = tmp_path / "broken.b2nd"
    ndbytes.save(path, np.random.default_rng(3).integers(0, 255, (64, 64)), chunks=(64, 64), codec="zstd")
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 64] = bytes(64)
    path.write_bytes(content)
    assert "b2nd" in page(ndbytes.open_array(path)).words


def test_an_array_that_is_fetched_is_not_fetched_to_be_shown():
    fsspec = pytest.importorskip("fsspec")
    files = fsspec.filesystem("memory")
    files.pipe("/a.npy", (SAMPLES / "temperatures.b2nd").read_bytes())
    shown = page(ndbytes.open_array("memory://a.npy"))
    assert "img" not in shown.tags


def test_a_table_shows_its_first_rows_and_escapes_names_and_texts(tmp_path):
    names = {f"{HOSTILE}{number}": [HOSTILE * 50] * 100 for number in range(40)}
    ndbytes.write_idv(tmp_path / "wide.idv", pyarrow.table(names))
    shown = page(ndbytes.open_table(tmp_path / "wide.idv"))
    assert "100 rows, 40 columns" in shown.words
    assert "28 more columns" in shown.words and "90 more rows" in shown.words
    assert "pine" in page(ndbytes.open_table(SAMPLES / "trees.idv")).words


def test_an_archive_shows_its_first_members(tmp_path):
    with zipfile.ZipFile(tmp_path / "many.zip", "w") as archive:
        for number in range(50):
            archive.write(SAMPLES / "surface.ra", f"{HOSTILE.replace('/', '')}{number}.ra")
    shown = page(ndbytes.open_archive(tmp_path / "many.zip"))
    assert "50 members" in shown.words and "30 more members" in shown.words


def test_a_report_and_a_finding_show_rule_field_and_help():
    report = ndbytes.check(SAMPLES / "interrupted-idx3-ubyte")
    for shown in (page(report), page(report[0])):
        assert "idx/truncated-payload" in shown.words
        assert "3 of 10 items are whole" in shown.words
    assert "ok" in page(ndbytes.check(SAMPLES / "surface.ra")).words


def test_a_report_of_many_findings_is_bounded(tmp_path):
    with zipfile.ZipFile(tmp_path / "many.zip", "w") as archive:
        for number in range(200):
            archive.write(SAMPLES / "interrupted-idx3-ubyte", f"{number}-idx3-ubyte")
    report = ndbytes.check(tmp_path / "many.zip")
    assert "more findings" in page(report).words


def test_a_preflight_shows_the_files_that_are_not_ok(tmp_path):
    for number in range(30):
        name = f"{HOSTILE.replace('/', '')}{number}-idx3-ubyte"
        (tmp_path / name).write_bytes((SAMPLES / "interrupted-idx3-ubyte").read_bytes())
    shown = page(ndbytes.preflight(tmp_path))
    assert "30 files" in shown.words and "10 more files" in shown.words


def test_a_preflight_shows_names_that_are_no_unicode(tmp_path):
    with open(os.path.join(os.fsencode(tmp_path), b"\xff-idx3-ubyte"), "wb") as file:
        file.write((SAMPLES / "interrupted-idx3-ubyte").read_bytes())
    assert "\\udcff-idx3-ubyte" in page(ndbytes.preflight(tmp_path)).words


def test_a_difference_shows_verdict_boxes_and_names(tmp_path):
    old = tmp_path / f"{HOSTILE.replace('/', '')}.npy"
    changed = np.zeros((20, 30))
    np.save(old, changed)
    changed[3, 4] = 9
    np.save(tmp_path / "new.npy", changed)
    shown = page(ndbytes.diff(old, tmp_path / "new.npy"))
    assert "values differ" in shown.words
    assert "[3:4, 4:5]" in shown.words
    assert "identical" in page(ndbytes.diff(old, old)).words


def test_a_difference_of_tables_shows_its_rows(tmp_path):
    for name, labels in (("a", ["x", HOSTILE]), ("b", ["x", "z"])):
        ndbytes.write_idv(tmp_path / f"{name}.idv", pyarrow.table({"Name": labels}))
    assert "differ" in page(ndbytes.diff(tmp_path / "a.idv", tmp_path / "b.idv")).words


@pytest.mark.parametrize("opened", ["surface.ra", "trees.idv"])
def test_a_closed_handle_says_so(opened):
    with ndbytes.open(SAMPLES / opened) as handle:
        pass
    assert "closed" in page(handle).words
