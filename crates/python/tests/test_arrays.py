"""Arrays: NumPy's indexing, views without a copy, buffers."""

import pickle
import random
import sys
import zipfile

import ndbytes
import numpy as np
import pytest
from conftest import CORPUS, FROZEN, SAMPLES, files

#: Files of arrays that are sound.
ARRAYS = [
    *files(SAMPLES, "ubyte.gz", ".ra", ".b2nd", "idx1-ubyte"),
    *files(FROZEN / "b2nd" / "blosc2", ".b2nd"),
    *[path for format in ("idx", "rawarray", "npy", "b2nd") for path in files(CORPUS / format / "ok") if path.suffix not in (".recipe", ".toml", ".md")],
]

#: NumPy 1 has fewer.
MOST_AXES = 64 if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else 32


def opened(path):
    try:
        array = ndbytes.open(path)
    except (ValueError, MemoryError, OSError):
        pytest.skip("a part of a folder, or refused without an option")
    if not isinstance(array, ndbytes.Array):
        pytest.skip("no array")
    return array


def same(left, right):
    """Equal to the bit, type and shape included."""
    left, right = np.asarray(left), np.asarray(right)
    assert left.dtype == right.dtype and left.shape == right.shape
    assert content(left) == content(right)


def content(array):
    """The bytes of an array, without those that a long double leaves unused: they are what was in memory before."""
    if array.dtype.char in "gG" and np.finfo(array.dtype).nmant == 63:
        return np.ascontiguousarray(array).view("u1").reshape(-1, 16)[:, :10].tobytes()
    return array.tobytes()


@pytest.mark.parametrize("path", ARRAYS, ids=lambda path: str(path.relative_to(path.parents[2])))
def test_slices_are_those_of_the_whole(path):
    array = opened(path)
    if array.nbytes > 1 << 24 or array.ndim > MOST_AXES:
        pytest.skip("large, or of more axes than NumPy has")
    whole = np.asarray(array)
    assert whole.shape == array.shape and whole.dtype == array.dtype
    rng = random.Random(str(path.name))
    for _ in range(20):
        key = tuple(part(rng, extent) for extent in array.shape[: rng.randint(0, array.ndim)])
        if rng.random() < 0.2:
            key += (Ellipsis,)
        if rng.random() < 0.1:
            key += (None,)
        same(array[key], whole[key])
        assert isinstance(array[key], np.ndarray) == isinstance(whole[key], np.ndarray)


def part(rng, extent):
    """An index of one axis."""
    if extent and rng.random() < 0.4:
        return rng.randrange(-extent, extent)
    bounds = [None if rng.random() < 0.3 else rng.randint(-extent - 2, extent + 2) for _ in range(2)]
    return slice(*bounds, rng.choice([None, 1, 2, 3, -1, -2]))


def test_an_empty_array_of_huge_extents_has_no_elements(tmp_path):
    path = tmp_path / "empty.npy"
    ndbytes.save(path, np.zeros((0, 1 << 20, 1 << 20, 1 << 10)))
    array = ndbytes.open(path)
    assert (array.size, array.nbytes, len(array)) == (0, 0, 0)
    assert np.asarray(array).shape == array.shape


def test_an_index_out_of_range_is_refused():
    array = ndbytes.open(SAMPLES / "temperatures.b2nd")
    for key in [168, -169, (0, 6), (0, 0, 0), (..., ...)]:
        with pytest.raises(IndexError):
            array[key]


def test_lists_and_masks_are_those_of_numpy():
    array = ndbytes.open(SAMPLES / "temperatures.b2nd")
    whole = np.asarray(array)
    same(array[[3, 1]], whole[[3, 1]])
    same(array[whole > 200], whole[whole > 200])
    same(array[np.int64(3)], whole[3])
    same(array[True], whole[True])


def test_an_item_is_a_scalar():
    array = ndbytes.open(SAMPLES / "temperatures.b2nd")
    assert array[0, 0] == 90 and isinstance(array[0, 0], np.int16)


def test_views_share_the_file():
    array = ndbytes.open(SAMPLES / "surface.ra")
    first, second = np.asarray(array), np.asarray(array)
    assert np.shares_memory(first, second) and not first.flags.writeable
    assert first.flags.f_contiguous and memoryview(array).f_contiguous
    same(np.array(array, copy=True), first)
    assert np.array(array, copy=True).flags.writeable


def test_decoded_elements_are_no_view():
    array = ndbytes.open(SAMPLES / "temperatures.b2nd")
    with pytest.raises(ValueError, match="needs a copy"):
        array.__array__(copy=False)
    with pytest.raises(BufferError):
        memoryview(array)
    assert array[...].flags.writeable


def test_big_endian_elements_are_no_copy(tmp_path):
    path = tmp_path / "floats.idx"
    values = np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4)
    ndbytes.save(path, values)
    array = ndbytes.open(path)
    assert array.dtype == np.dtype(">f4")
    first = np.asarray(array)
    assert np.shares_memory(first, np.asarray(array))
    assert (first == values).all() and (np.frombuffer(array, ">f4") == values.ravel()).all()


def test_elements_are_read_in_the_order_of_bytes_that_is_asked_for(tmp_path):
    values = np.arange(12, dtype=np.int32).reshape(3, 4)
    ndbytes.save(tmp_path / "big.idx", values)
    path = tmp_path / "little.idx"
    path.write_bytes((tmp_path / "big.idx").read_bytes()[:12] + values.tobytes())
    with pytest.warns(ndbytes.FileWarning, match="idx/implausible-byte-order"):
        swapped = ndbytes.open(path)
    assert (np.asarray(swapped) == values.byteswap()).all()
    array = ndbytes.open(path, byte_order="little")
    assert array.dtype == np.dtype("<i4") and (array.warnings, array.tolerated) == ([], [])
    same(array, values.astype("<i4"))
    same(pickle.loads(pickle.dumps(array)), array)
    same(ndbytes.open(path.read_bytes(), byte_order="little"), array)
    assert ndbytes.stats(path, byte_order="little")["series"][0]["max"] == 11
    same(ndbytes.open(tmp_path / "big.idx", byte_order="big"), values.astype(">i4"))
    with pytest.raises(ValueError, match="little or big"):
        ndbytes.open(path, byte_order="middle")
    with pytest.raises(ValueError, match="which states its byte order"):
        ndbytes.open(SAMPLES / "surface.ra", byte_order="little")


def test_members_of_other_formats_state_their_order_of_bytes(tmp_path):
    values = np.arange(300, 306, dtype=np.int32)
    content = b"\0\0\x0c\x01\0\0\0\x06" + values.tobytes()
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as file:
        file.writestr("little.idx", content)
        file.writestr("surface.ra", (SAMPLES / "surface.ra").read_bytes())
    for source in [tmp_path / "x.zip", (tmp_path / "x.zip").read_bytes()]:
        archive = ndbytes.open(source, byte_order="little")
        assert np.asarray(archive["little.idx"]).tolist() == values.tolist()
        same(archive["surface.ra"], ndbytes.open(SAMPLES / "surface.ra"))


def test_no_value_is_another_if_a_rule_is_tolerated():
    for rule in ndbytes.rules():
        if not (rule["tolerable"] and rule["severity"] == "error"):
            with pytest.raises(ValueError, match="cannot be read|are read anyway"):
                ndbytes.open(SAMPLES / "surface.ra", tolerate=[rule["id"]])
            continue
        for path in [SAMPLES / "digits-idx1-ubyte", SAMPLES / "surface.ra", SAMPLES / "temperatures.b2nd"]:
            same(ndbytes.open(path, tolerate=[rule["id"]]), ndbytes.open(path))


def test_dlpack_gives_the_elements():
    array = ndbytes.open(SAMPLES / "surface.ra")
    assert (np.from_dlpack(array) == np.asarray(array)).all()
    assert array.__dlpack_device__() == (1, 0)


def test_a_file_that_is_not_mapped_is_the_same():
    path = SAMPLES / "surface.ra"
    same(ndbytes.open(path, mmap=False), ndbytes.open(path))
    same(ndbytes.open(path.read_bytes()), ndbytes.open(path))
    with open(path, "rb") as file:
        same(ndbytes.open(file), ndbytes.open(path))


def test_pickles_open_the_file_again():
    for name in ["surface.ra", "temperatures.b2nd"]:
        array = ndbytes.open(SAMPLES / name, memory=1 << 20)
        same(pickle.loads(pickle.dumps(array)), array)
    with pytest.raises(TypeError, match="path"):
        pickle.dumps(ndbytes.open((SAMPLES / "surface.ra").read_bytes()))


def test_attributes_are_python_values():
    array = ndbytes.open(SAMPLES / "temperatures.b2nd")
    assert array.attrs == {"unit": "0.1 °C"}
    assert array.meta["places"] == ["north", "east", "south", "west", "valley", "hill"]


def test_archives_are_mappings(tmp_path):
    path = tmp_path / "two.npz"
    np.savez(path, first=np.arange(5), second=np.eye(3))
    archive = ndbytes.open(path)
    assert list(archive) == ["first.npy", "second.npy"] and len(archive) == 2 and "first.npy" in archive
    same(archive["second.npy"], np.eye(3))
    same(pickle.loads(pickle.dumps(archive["first.npy"])), np.arange(5))
    with pytest.raises(KeyError):
        archive["third.npy"]
    same(ndbytes.open(path.read_bytes())["first.npy"], np.arange(5))
    assert {name: array.shape for name, array in archive.items()} == {"first.npy": (5,), "second.npy": (3, 3)}


@pytest.mark.skipif(sys.platform != "linux", reason="counts the mapped files")
def test_a_dropped_array_is_unmapped(tmp_path):
    path = tmp_path / "large.npy"
    np.save(path, np.zeros(1 << 20))
    array = ndbytes.open(path)
    view = np.asarray(array)[5:]
    del array
    assert view.sum() == 0 and "large.npy" in open("/proc/self/maps").read()
    del view
    assert "large.npy" not in open("/proc/self/maps").read()
