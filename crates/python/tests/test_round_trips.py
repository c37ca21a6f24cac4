"""Writing and reading back: format × element type × rank × order in memory. What comes back has the same shape, type and bytes."""

import ml_dtypes
import ndbytes
import numpy as np
import pytest

FORMATS = ["npy", "b2nd", "idx", "idx.gz", "ra"]

#: No shape is its own reverse, and one axis is empty.
SHAPES = [(), (5,), (3, 2), (2, 3, 1), (3, 0, 2), (1, 2, 1, 3), (2, 1, 3, 1, 2), (1, 2, 1, 3, 2, 1), (3, 1, 2, 1, 1, 1, 2), (2, 1, 3, 1, 1, 2, 1, 1)]

INNER = np.dtype([("a", "<i4"), ("b", "u1")], align=True)
PACKED = np.dtype([("q", "u1"), ("r", "<f2")])
DEEP = np.dtype([("x", INNER, (2,)), ("y", [("z", PACKED), ("n", INNER)]), ("e", "?")])

ORDERED = "i2 u2 i4 u4 i8 u8 f2 f4 f8 f16 c8 c16 c32 U3 M8[ns] M8[25s] M8 m8[D] m8".split()
TYPES = {
    **{code: np.dtype(code) for code in ["?", "i1", "u1", "S5", "V7", "S0", "U0", "V0"]},
    **{order + code: np.dtype(order + code) for code in ORDERED for order in "<>"},
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "structure": np.dtype([("a", "<i4"), ("b", ">f8"), ("c", "S3"), ("d", "<U2"), ("e", ">M8[s]"), ("f", "<c8"), ("g", "V3")]),
    "aligned": INNER,
    "subarrays": np.dtype([("a", "u1", (2, 3)), ("b", ">i2", (4,)), ("c", "<f4", (1,))]),
    "aligned in packed": np.dtype([("s", INNER), ("t", "<i2")]),
    "aligned in packed, alone": np.dtype([("s", INNER)]),
    "array of aligned in packed": np.dtype([("s", INNER, (2,)), ("t", "<i2")]),
    "packed in aligned": np.dtype([("p", PACKED), ("s", "<f2")], align=True),
    "aligned in aligned": np.dtype([("t", "u1"), ("s", INNER), ("u", "<f8")], align=True),
    "deep": DEEP,
    "deep in aligned": np.dtype([("t", "u1"), ("s", DEEP, (1, 2)), ("u", "<f8")], align=True),
    "padded": np.dtype({"names": ["a", "b"], "formats": ["<i2", "u1"], "offsets": [3, 9], "itemsize": 16}),
    "padded in padded": np.dtype({"names": ["s"], "formats": [{"names": ["a"], "formats": ["u1"], "offsets": [2], "itemsize": 5}], "offsets": [1], "itemsize": 9}),
    "titles": np.dtype([(("the first", "a"), "<i4"), (("das Zweite, größer", "b"), INNER)]),
    "names": np.dtype([("", "<i4"), ("größe", "u1"), ("it's \"so\"\n", "<f4"), ("δ", [("漢", "u1")])]),
    "unnamed": np.dtype({"names": ["", "b"], "formats": ["<i4", "u1"]}),
    "gaps": np.dtype({"names": ["", "b"], "formats": ["V2", "u1"], "offsets": [0, 2], "itemsize": 3}),
    "overlapping": np.dtype({"names": ["a", "b"], "formats": ["<i4", "<i2"], "offsets": [0, 2], "itemsize": 4}),
    "unordered": np.dtype({"names": ["a", "b"], "formats": ["<i4", "<i2"], "offsets": [2, 0], "itemsize": 6}),
    "brain floats": np.dtype([("a", ml_dtypes.bfloat16), ("b", "u1")]),
    "fields of no bytes": np.dtype([("a", "S0"), ("b", "u1"), ("c", "<i4", (0,)), ("d", "V0")]),
    "only of no bytes": np.dtype([("a", "S0"), ("b", "<U0")]),
    "no fields": np.dtype([]),
    "only padding": np.dtype({"names": [], "formats": [], "itemsize": 4}),
}

NUMBERS = {"?", "i1", "u1", *(order + code for code in ORDERED if code[0] in "iuf" and code != "f16" for order in "<>")}
OF_IDX = {"i1", "u1", *(order + code for code in ["i2", "i4", "f4", "f8"] for order in "<>")}
OF_RAWARRAY = {*NUMBERS, "V7", "bfloat16", *(order + code for code in ["c8", "c16"] for order in "<>")}
EMPTY = {"S0", "U0", "V0", "only of no bytes", "no fields"}

#: The types that a format does not hold.
REFUSED = {
    "npy": {"bfloat16", "brain floats", "overlapping", "unordered", "gaps"},
    "b2nd": {"bfloat16", "brain floats", *EMPTY},
    "idx": TYPES.keys() - OF_IDX,
    "idx.gz": TYPES.keys() - OF_IDX,
    "ra": TYPES.keys() - OF_RAWARRAY,
}


def zeros(shape, dtype, order="C"):
    """An array of zeros: `numpy.zeros` gives texts of no bytes one byte."""
    array = np.ndarray(shape, dtype, order=order)
    if dtype.itemsize:
        array[...] = np.zeros((), dtype)
    return array


def placed(array, order):
    """The same values, in another order in memory."""
    if order == "C":
        return array
    if order == "F":
        other = zeros(array.shape, array.dtype, order="F")
    elif order == "strided":
        other = zeros([3 * extent for extent in array.shape], array.dtype)[(..., *[slice(1, None, 3)] * array.ndim)]
    else:
        other = zeros(array.shape, array.dtype)[(..., *[slice(None, None, -1)] * array.ndim)]
    if array.dtype.itemsize:
        other[...] = array
    return other


def filled(array, rng):
    """Fills an array with values of its type, field by field."""
    if array.dtype.names is not None:
        for name in array.dtype.names:
            filled(array[name], rng)
    elif array.dtype.kind == "U":
        letters = np.array(list("aß漢😀\u0301z"))
        array[...] = np.char.add(rng.choice(letters, array.shape), rng.choice(letters, array.shape)) if array.dtype.itemsize > 4 else ""
    elif array.dtype.itemsize and array.size:
        own = {"?": "u1", "g": "f8", "G": "c16"}.get(array.dtype.char)
        size = np.dtype(own).itemsize if own else array.dtype.itemsize
        random = np.frombuffer(rng.bytes(array.size * size), own or array.dtype).reshape(array.shape)
        with np.errstate(invalid="ignore"):
            array[...] = (random & 1) if array.dtype.char == "?" else random
    return array


def content(array):
    """The bytes of all values, field by field: padding and the unused bytes of a long double are nobody's."""
    if array.dtype.names is not None:
        return b"|".join(content(array[name]) for name in array.dtype.names)
    if array.dtype.char in "gG" and np.finfo(array.dtype).nmant == 63:
        return np.frombuffer(array.tobytes(), "u1").reshape(-1, 16)[:, slice(10) if array.dtype.byteorder != ">" else slice(6, 16)].tobytes()
    return array.tobytes()


def described(dtype):
    """All that makes a type: names, titles, offsets, sizes, shapes and byte orders, at all depths."""
    if dtype.subdtype is not None:
        item, shape = dtype.subdtype
        return shape, described(item)
    if dtype.names is not None:
        fields = [(name, described(dtype.fields[name][0]), *dtype.fields[name][1:]) for name in dtype.names]
        return dtype.itemsize, fields
    return dtype.name if dtype.name == "bfloat16" else dtype.str


def assert_same(read, values, dtype):
    assert read.shape == values.shape
    assert described(read.dtype) == described(dtype)
    assert content(read) == content(values)


def arrays(name, orders):
    """Arrays of a type, of all ranks, in some orders."""
    rng = np.random.default_rng(sum(map(ord, name)))
    for shape in SHAPES:
        values = filled(zeros(shape, TYPES[name]), rng)
        for order in orders:
            other = placed(values, order)
            assert content(other) == content(values) and other.dtype == values.dtype == TYPES[name]
            yield other


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("format", FORMATS)
def test_what_is_saved_comes_back(format, name, tmp_path):
    # IDX is big-endian, and RawArray is little-endian.
    order = {"idx": ">", "idx.gz": ">", "ra": "<"}.get(format)
    path = tmp_path / f"x.{format}"
    is_refused = name in REFUSED[format]
    for values in arrays(name, ["F"] if is_refused else ["C", "F", "strided", "reversed"]):
        if is_refused or (values.ndim == 0 and format.startswith("idx")):
            with pytest.raises(ValueError, match="cannot hold"):
                ndbytes.save(path, values)
            assert not path.exists()
            continue
        ndbytes.save(path, values)
        stored = values.astype(values.dtype.newbyteorder(order)) if order and values.dtype.names is None else values
        assert_same(np.asarray(ndbytes.open(path)), stored, stored.dtype)
        if format == "npy":
            assert_same(np.load(path), values, values.dtype)


@pytest.mark.parametrize("name", sorted(TYPES.keys() - REFUSED["b2nd"]))
def test_blosc2_reads_what_is_saved(name, tmp_path):
    blosc2 = pytest.importorskip("blosc2")
    values = filled(np.zeros((3, 2), TYPES[name]), np.random.default_rng(0))
    ndbytes.save(tmp_path / "x.b2nd", values)
    read = blosc2.open(str(tmp_path / "x.b2nd"))[...]
    assert_same(read, values, values.dtype)
