"""Formats that have a Kaitai Struct specification."""

import doctest

import ndbytes.everybyte
import pytest
from ndbytes.everybyte import Spec

NOTE = """
meta: {id: note, title: A note, license: CC0-1.0, endian: be}
seq:
  - {id: kind, type: u1, enum: kinds}
  - {id: length, type: u2, doc: Bytes of the text.}
  - {id: text, type: str, size: length, encoding: UTF-8}
  - {id: rest, type: u1, repeat: eos}
enums: {kinds: {1: short}}
"""
FILE = b"\x01\x00\x02hi\x07\x08"


@pytest.fixture
def spec(tmp_path):
    path = tmp_path / "note.ksy"
    path.write_text(NOTE)
    return Spec(path)


def test_the_examples_of_the_module_run():
    ran = doctest.testmod(ndbytes.everybyte)
    assert ran.failed == 0 and ran.attempted == 7


def test_a_specification_says_what_it_is(spec, tmp_path):
    assert (spec.name, spec.title, spec.license, spec.warnings) == ("note", "A note", "CC0-1.0", [])
    assert spec.files == [str(tmp_path / "note.ksy")]
    assert repr(spec) == "<Spec of 'note'>"


def test_every_byte_of_a_file_has_its_field(spec, tmp_path):
    path = tmp_path / "a.note"
    path.write_bytes(FILE)
    explained = spec.explain(path)
    assert (explained["path"], explained["size"], explained["findings"]) == ("a.note", 7, [])
    spans = [(span["path"], span["offset"], span["value"]) for span in explained["spans"]]
    assert spans == [("kind", 0, 1), ("length", 1, 2), ("text", 3, "hi"), ("rest[0]", 5, 7), ("rest[1]", 6, 8)]
    assert spec.explain(memoryview(FILE))["spans"] == explained["spans"]


def test_what_is_wrong_is_named(spec):
    (finding,) = spec.check(FILE[:4])
    assert (finding["rule"], finding["path"], finding["offset"]) == ("truncated", "text", 3)


def test_values_are_those_of_python(spec):
    assert spec.values(FILE, "kind", "length + 1", "text", "rest", "length > 1", "length / 4.0") == [
        "short", 3, "hi", [7, 8], True, 0.5
    ]
    with pytest.raises(ValueError, match="`note` has no `lenght`; did you mean `length`"):
        spec.values(FILE, "lenght")


def test_mutants_keep_their_lengths_and_recipes_make_them_again(spec):
    made, recipe = spec.mutate(FILE, seed=3)
    assert made != FILE and spec.replay(FILE, recipe) == made
    longer = spec.replay(FILE, 'splice text[2..end] = " there"')
    assert longer == b"\x01\x00\x08hi there\x07\x08"
    with pytest.raises(ValueError, match="nowhere"):
        spec.replay(FILE, "remove nowhere")


def test_a_page_and_a_source_are_made(spec):
    assert "<title>greeting</title>" in spec.page(FILE, "greeting")
    assert "pub struct Note" in spec.rust()
    with pytest.raises(ValueError, match="`first` is read elsewhere in the file"):
        Spec(text="{meta: {id: x}, seq: [{id: a, type: u1}], instances: {first: {pos: 0, type: u1}}}").rust()


def test_a_wrong_specification_is_refused_with_its_place():
    with pytest.raises(ValueError, match="specification:1:30: `x` has no `b`"):
        Spec(text="{meta: {id: x}, seq: [{size: b, id: c}]}")
    for arguments in [{}, {"path": "a.ksy", "text": "{}"}]:
        with pytest.raises(ValueError, match="either a path or a text"):
            Spec(**arguments)
    with pytest.raises(ValueError, match="No such file"):
        Spec("/nowhere.ksy")
