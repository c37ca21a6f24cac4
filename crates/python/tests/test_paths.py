"""Paths: text, bytes, `os.PathLike`, and names that are no UTF-8, in every function that takes one."""

import os
import shutil

import ndbytes
import numpy as np
import pytest
from conftest import SAMPLES


class Path:
    """A path as another package has it: not one of `pathlib`."""

    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        return self.path


#: A folder and its files in each of the forms.
FORMS = {
    "text": lambda path: os.fsdecode(path),
    "pathlib": lambda path: __import__("pathlib").Path(os.fsdecode(path)),
    "PathLike of text": lambda path: Path(os.fsdecode(path)),
    "PathLike of bytes": lambda path: Path(os.fsencode(path)),
    "bytes": os.fsencode,
}


@pytest.fixture(params=FORMS)
def at(request, tmp_path):
    """Gives the path of a name in a folder, whose name is no UTF-8, in one of the forms."""
    folder = os.path.join(os.fsencode(tmp_path), b"f\xff")
    os.mkdir(folder)
    for name in os.listdir(SAMPLES):
        shutil.copy(os.path.join(SAMPLES, name), os.path.join(folder, os.fsencode(name)))
    return lambda name: FORMS[request.param](os.path.join(folder, os.fsencode(name)))


def written(path):
    return os.path.exists(os.fspath(path))


def test_a_function_that_reads_takes_every_path(at):
    surface, broken = at("surface.ra"), at("interrupted-idx3-ubyte")
    assert ndbytes.info(surface)["format"] == "rawarray"
    assert ndbytes.info([surface])["format"] == "rawarray"
    assert ndbytes.explain(surface).fields
    assert ndbytes.preflight([surface]).ok
    assert ndbytes.preflight(at("")).broken
    assert ndbytes.fix(broken, dry_run=True)[0]["outcome"] == "repaired"


def test_a_function_that_takes_contents_takes_every_path_but_bytes(at):
    """Bytes are the content of a file there."""
    surface = at("surface.ra")
    if isinstance(surface, bytes):
        with pytest.raises(ndbytes.InvalidError, match="the format is unknown"):
            ndbytes.open(surface)
        assert not ndbytes.check(surface).ok
        assert ndbytes.diff(surface, b"other")["verdict"] == "incomparable"
        with pytest.raises(ValueError, match="the format is unknown"):
            ndbytes.show(surface).png
        return
    assert ndbytes.open(surface).shape == (4, 6)
    assert ndbytes.open_array(surface).shape == (4, 6)
    assert ndbytes.check(surface).ok
    assert ndbytes.stats(surface)["series"]
    assert ndbytes.diff(surface, surface).equal
    assert ndbytes.show(surface).png


def test_a_function_that_writes_takes_every_path(at):
    ndbytes.save(at("new.npy"), np.zeros(3))
    ndbytes.write_idv(at("new.idv"), ndbytes.open_table(SAMPLES / "trees.idv"))
    ndbytes.convert(at("digits-idx3-ubyte.gz"), at("digits.npy"))
    ndbytes.convert([at("digits-idx3-ubyte.gz")], at("more.npy"))
    ndbytes.merge(at("surface.ra"), at("surface.ra"), at("surface.ra"), at("merged.ra"))
    ndbytes.show(SAMPLES / "surface.ra").save(at("picture.png"))
    ndbytes.diff(SAMPLES / "surface.ra", SAMPLES / "surface.ra", picture=at("difference.png"))
    ndbytes.forge(at("forged"), valid=True, format="idx", count=1)
    ndbytes.fix(at("interrupted-idx3-ubyte"), out=at("fixed"))
    ndbytes.seal(at("surface.ra"), at("one.seal"))
    made = ["new.npy", "new.idv", "digits.npy", "more.npy", "merged.ra", "picture.png", "forged", "fixed", "one.seal"]
    assert [name for name in made if not written(at(name))] == []


def test_a_seal_is_found_beside_every_path(at):
    ndbytes.seal(at("surface.ra"))
    if not isinstance(at("surface.ra"), bytes):
        assert ndbytes.check(at("surface.ra"), sealed=True).ok
    assert ndbytes.preflight(at("surface.ra"), sealed=at("surface.ra.seal")).ok
