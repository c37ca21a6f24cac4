"""Errors: exceptions with rule, field and bytes; nothing ends the interpreter."""

import errno
import random
import struct
import threading
import zipfile

import ndbytes
import numpy as np
import pytest
from conftest import CORPUS, SAMPLES, files

BAD = [path for path in files(CORPUS) if "bad" in path.parts and path.suffix not in (".toml", ".md")]


def test_a_broken_file_names_rule_field_and_bytes():
    with pytest.raises(ndbytes.InvalidError) as caught:
        ndbytes.open(SAMPLES / "interrupted-idx3-ubyte")
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.rule, error.severity, error.field, error.offset, error.length) == (
        "idx/truncated-payload", "error", "payload", 2468, 0,
    )
    assert error.expected == "7840 bytes of payload" and error.found == "2452 bytes"
    assert error.finding.rule == error.rule and "idx/truncated-payload" in str(error)


def test_an_error_names_the_file_that_was_opened(tmp_path):
    path = SAMPLES / "interrupted-idx3-ubyte"
    with pytest.raises(ndbytes.InvalidError) as caught:
        ndbytes.open(path)
    assert caught.value.path == str(path) and f"file: {path}" in caught.value.__notes__
    with pytest.raises(ndbytes.InvalidError) as caught:
        ndbytes.open(path.read_bytes())
    assert caught.value.path is None and not hasattr(caught.value, "__notes__")
    # An array that was opened without an error names its file when it is read.
    zeros = tmp_path / "zeros.b2nd"
    ndbytes.save(zeros, np.zeros(1 << 22))
    with pytest.raises(ndbytes.LimitError) as caught:
        ndbytes.open(zeros, memory=1 << 20)[:]
    assert caught.value.path == str(zeros)


def test_a_tolerated_rule_is_passed_over_and_said():
    array = ndbytes.open(SAMPLES / "interrupted-idx3-ubyte", tolerate=["idx/truncated-payload"])
    assert array.shape == (3, 28, 28) and [finding.rule for finding in array.tolerated] == ["idx/truncated-payload"]
    with pytest.raises(ValueError, match="is not a rule"):
        ndbytes.open(SAMPLES / "surface.ra", tolerate=["idx/none"])


def test_errors_of_the_system_are_its_exceptions(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        ndbytes.open(tmp_path / "none")
    assert caught.value.errno == errno.ENOENT and caught.value.filename.endswith("none")
    with pytest.raises(OSError):
        ndbytes.check(tmp_path)


def test_an_exception_of_a_stream_is_raised_again():
    class Broken:
        def read(self, count):
            raise KeyError("the cable")

    with pytest.raises(KeyError, match="the cable"):
        ndbytes.open(Broken())

    class Text:
        def read(self, count):
            return "text"

    with pytest.raises(OSError, match="binary"):
        ndbytes.open(Text())


def test_too_much_memory_is_a_memory_error(tmp_path):
    path = tmp_path / "zeros.b2nd"
    ndbytes.save(path, np.zeros(1 << 22))
    with pytest.raises(ndbytes.LimitError) as caught:
        ndbytes.open(path, memory=1 << 20)[:]
    assert isinstance(caught.value, MemoryError)


def test_what_is_no_file_is_a_type_error():
    for thing in [5, None, object()]:
        with pytest.raises(TypeError):
            ndbytes.open(thing)


def test_items_that_are_too_large_for_numpy_are_a_value_error(tmp_path):
    # A RawArray file of no records, which would have 2^47 - 1 bytes each.
    path = tmp_path / "x.ra"
    path.write_bytes(b"rawarray" + struct.pack("<6Q", 0, 0, 2**47 - 1, 0, 1, 0))
    array = ndbytes.open(path)
    assert array.shape == (0,)
    for use in [lambda: array.dtype, lambda: np.asarray(array)]:
        with pytest.raises(ValueError, match="NumPy has no arrays of"):
            use()


def test_members_are_found_by_their_names_whatever_these_are(tmp_path):
    content = (SAMPLES / "surface.ra").read_bytes()
    path = tmp_path / "x.zip"
    names = ["a//b.ra", "./c.ra", "d/../e.ra", *(f"{number}.ra" for number in range(3000))]
    with zipfile.ZipFile(path, "w") as file:
        for name in names:
            file.writestr(name, content)
    for archive in [ndbytes.open(path), ndbytes.open(path.read_bytes())]:
        assert list(archive) == names
        assert all(archive[name].shape == (4, 6) for name in [*names[:5], names[-1]])


def read_all(source):
    """Reads everything that a file has. The exceptions of files are no failure."""
    try:
        opened = ndbytes.open(source, memory=64 << 20)
        if isinstance(opened, ndbytes.Array):
            if opened.nbytes < 1 << 24:
                np.asarray(opened).sum(dtype=object) if opened.dtype.kind in "biuf" and opened.size < 1000 else opened[...]
        elif isinstance(opened, ndbytes.Table):
            for name in opened.columns:
                try:
                    opened[name].read()
                except TypeError:
                    pass
        else:
            for name in opened:
                read_all_of(opened, name)
    except (ValueError, OSError, MemoryError, IndexError, KeyError):
        pass


def read_all_of(archive, name):
    try:
        member = archive[name]
        if isinstance(member, ndbytes.Array) and member.nbytes < 1 << 24:
            member[...]
    except (ValueError, OSError, MemoryError):
        pass


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.name)
def test_bad_files_end_in_exceptions(path):
    read_all(path)
    ndbytes.check(path)


def test_mutants_end_in_exceptions_in_several_threads():
    seeds = [path.read_bytes() for path in files(CORPUS) if path.stat().st_size < 20_000]

    def work(seed):
        rng = random.Random(seed)
        for _ in range(1500):
            mutant = bytearray(rng.choice(seeds))
            for _ in range(rng.randint(1, 4)):
                if mutant:
                    mutant[rng.randrange(len(mutant))] = rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])
            if rng.random() < 0.2:
                del mutant[rng.randrange(len(mutant) + 1) :]
            read_all(bytes(mutant))
            ndbytes.check(bytes(mutant))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
