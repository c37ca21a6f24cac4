"""Writes types.json and arrays.json: what NumPy says about types, and how it prints and saves arrays of them.

    python make.py
"""

import ast
import io
import json
import math
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).parent
NAT = -(2**63)

PLAIN = """|b1 b1 ? |? |i1 i1 >i1 |u1 <i2 >i2 =i4 |i4 i4 <i8 <u2 >u4 <u8 <f2 >f2 <f4 >f4 <f8 |f8 <f16 >f16 <c8 >c8 <c16 <c32
|S5 S5 >S5 S S0 S05 <U7 >U7 U <U0 |U7 =U7 U536870911 S2147483647 |V10 V10 V >V5 M8 <M8 m8 >m8 M m <M8[ns] >M8[ns] M8[25s]
M8[1s] M8[07D] m8[2147483647as] M8[generic] M8[10generic] M8[Y] M8[M] M8[W] M8[D] M8[h] M8[m] M8[s] M8[ms] M8[us] M8[\u03bcs]
M8[ps] M8[fs] M8[as] bool int8 int64 uint16 float16 float64 float128 complex64 complex256 datetime64 datetime64[ns]
timedelta64[25s]""".split()

PLAIN_REFUSED = ["", "<", "i16", "u16", "b2", "f3", "f12", "c4", "S-5", "S5x", "U536870912", "S2147483648", "V99999999999",
                 "S18446744073709551616", "M8[]", "M8[25]", "M8[B]", "M8[-1s]", "M8[2147483648s]", "M8[ ns ]", "M8[ns", "M8[ns]]",
                 "M4", "m8[nss]", "<=i4", "i4\0", " f8", "f8 ", "V10[ns]", "\u03bc", "<\u03bc4", "<f8.", "M8 [ns]", "{i4", "e2"]
LITERALS = [
    "[('a', '<i4'), ('b', '<f8'), ('name', 'S5')]",
    "[('a', '<i4'), ('c', '<f4', (2, 3))]",
    "[ ( 'a' ,\n'<i4' ) , ]",
    '[("a", "<i4"), ("it\'s", \'>f8\')]',
    "[(('title', 'nm'), '<i4'), ('x', [('y', '|b1'), ('z', [('deep', '>U3', (2,))])])]",
    "[('', '<i4'), ('', 'i1')]",
    "[('a', 'S', 3), ('b', '<i4', 2), ('c', '<i4', 1), ('d', '<i4', ()), ('e', '<i4', [2, 3])]",
    "[('a', ('<i4', (2,))), ('b', ('<i4', (2,)), (3,)), ('c', [('q', 'V0')])]",
    "[('\\xe9', '<i4'), ('\\u65e5\\U0001f600', '<i4'), ('\\n\\t\\\\\\'', '<i4'), ('\\u200b\\x7f\\x00', 'i1')]",
    "[('é', '<i4'), ('日本😀', '<M8[25s]')]",
    "[]", "[('a', [])]", "[('a', [], (1000,))]",
    "('<i4', (2,))", "('<i4', 3)", "('<i4', ())", "(('<i4', (2,)), (3,))", "('S', 5)", "('U', 5)", "('V', 5)",
    "('i4', (0,))", "('i4', (0, 3))", "('i4', (3, 0))", "([('a', '<i2'), ('b', '<i2')], (2,))",
    "('<i4', (536870911,))", "('i1', (" + "1, " * 64 + "))",
    "'<f8'", "('<f8')",
    "{'names': ['a', 'b'], 'formats': ['<i4', '<f8'], 'offsets': [0, 8], 'itemsize': 32}",
    "{'names': ['a', 'b'], 'formats': ['i1', '<i4'], 'offsets': [0, 4], 'itemsize': 8, 'aligned': True}",
    "{'names': ['a', 'b'], 'formats': ['i1', '<i4'], 'aligned': True}",
    "{'names': ['a', 'b'], 'formats': ['i1', '<i4'], 'aligned': True, 'itemsize': 16}",
    "{'names': ['a', 'b'], 'formats': ['i1', '<i4'], 'aligned': False}",
    "{'names': ['a', 'b'], 'formats': ['i1', '<i4']}",
    "{'names': ('a', 'b'), 'formats': ('i1', '<i4'), 'titles': ('t', None)}",
    "{'names': ['a', 'b'], 'formats': ['<i4', 'i1'], 'offsets': [0, 2]}",
    "{'names': ['a', 'b'], 'formats': ['<i4', 'i1'], 'offsets': [4, 0], 'titles': ['x', None], 'itemsize': 9}",
    "{'names': ['', 'b'], 'formats': ['<i4', 'i1'], 'offsets': [1, 0]}",
    "{'names': [], 'formats': [], 'offsets': [], 'itemsize': 10}",
    "{'names': ['a'], 'formats': ['i1'], 'offsets': [2147483646]}",
    "{'names': ['x'], 'formats': [[('a', 'i1'), ('b', '<i4')]], 'aligned': True}",
    "{'names': ['x', 'y'], 'formats': ['i1', ([('a', 'i1'), ('b', '<c32')], (2,))], 'aligned': True}",
    "{'names': ['x', 'y'], 'formats': ['i1', '<U3'], 'offsets': [0, 4], 'itemsize': 16, 'aligned': True,}",
]
LITERALS_REFUSED = [
    "[", "[(", "[('a'", "[('a',", "[('a', '<i4'", "[('a', '<i4')", "]", "{", "{'names'", "{'names':", "()", "(,)", "[,]",
    "[('a', '<i4'),,]", "[('a' '<i4')]", "[('a', '<i4')] x", "[('a', 'nope')]", "[('a', '<i4'), ('a', '<i4')]",
    "[(('t', 'a'), '<i4'), ('t', '<i4')]", "[(('a', 'a'), '<i4')]", "[(('t', ''), '<i4')]", "[(('a',), '<i4')]",
    "['<i4', '<i4']", "[['a', '<i4']]", "[('a', 5)]", "[('a',)]", "[(5, '<i4')]", "[('a', '<i4', (-1,))]",
    "[('a', '<i4', (True,))]", "[('a', '<i4', 2.5)]", "[('a', '<i4', 'x')]", "[('a\\x4', '<i4')]", "[('a\\N', '<i4')]",
    "[('a\n', '<i4')]", "[('a', '<i4", "('<i4', (-1,))", "('<i4', (2147483648,))", "('<i4', (536870912,))",
    "('<i4', (65536, 65536))", "('S0', (3,))", "('<i4', (007,))", "('<i4', (99999999999999999999,))",
    "('i1', (" + "1, " * 65 + "))",
    "{'names': ['a'], 'formats': []}", "{'names': ['a']}", "{'formats': ['<i4']}",
    "{'names': ['a', 'a'], 'formats': ['<i4', '<i4']}", "{'names': ['a'], 'formats': ['<i4'], 'offsets': [4], 'itemsize': 7}",
    "{'names': ['a'], 'formats': ['<i4'], 'offsets': [-4]}", "{'names': ['a'], 'formats': ['<i4'], 'offsets': []}",
    "{'names': ['a'], 'formats': ['<i4'], 'itemsize': -1}", "{'names': ['a'], 'formats': ['<i4'], 'itemsize': None}",
    "{'names': ['a'], 'formats': ['<i4'], 'aligned': 1}", "{'names': ['a'], 'formats': ['<i4'], 'titles': ['a']}",
    "{'names': [5], 'formats': ['<i4']}",
    "{'names': ['a', 'b'], 'formats': ['i1', '<i4'], 'offsets': [0, 5], 'aligned': True}",
    "{'names': ['a', 'b'], 'formats': ['i1', '<i4'], 'itemsize': 9, 'aligned': True}",
]


def made(text):
    """As python-blosc2 makes a type of its text."""
    try:
        return np.dtype(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return np.dtype(text)


def shown(dtype):
    """As python-blosc2 writes the type of an array."""
    return str(dtype) if dtype.names is not None or dtype.subdtype else dtype.str


def types():
    for text in PLAIN + LITERALS:
        dtype = made(text)
        yield {"text": text, "size": dtype.itemsize, "alignment": dtype.alignment, "str": shown(dtype)}
    for text in PLAIN_REFUSED + LITERALS_REFUSED:
        try:
            dtype = made(text)
        except (ValueError, TypeError, SyntaxError):
            yield {"text": text}
        else:
            raise AssertionError(f"{text!r} is {dtype!r}")


def times(values, dtype):
    return np.array(values, "<i8").astype(np.dtype(dtype).byteorder + "i8").view(dtype)


def arrays():
    floats = [1, 2.5, -0.0, 1 / 3, np.nan, -np.inf]
    long = np.longdouble
    yield np.array([b"ab", b"it's", b'q"', b"q\"'\\", b"\x00a\xff\n\x1b", b""])
    yield np.array(["ab", "it's", 'q"', "é\n\x1b", "\u200b😀\x7f\xa0", ""])
    yield np.array(["x"] * 30 + ["日本語"] * 30, ">U4")
    yield np.array([[0xD800, 0x41, 0], [0x110000, 0x42, 0xDC00]], "<u4").view("<U3")[:, 0]
    yield np.array(b"ab")
    yield np.array("it's \\ \"é\"")
    yield np.zeros(3, "S2")
    yield np.array([b"\x00\x01\xab", b"abc"], "V3")
    yield np.array(b"\x01\xab", "V2")
    for unit in "Y M W D h m s ms us ns ps fs as".split():
        # Beyond these, NumPy itself counts wrong.
        least, greatest = (-(2**59), 2**59) if unit in "YMWD" else (NAT + 1, 2**63 - 1)
        yield times([0, 1, -1, NAT, least, greatest, 12345678901234], f"<M8[{unit}]")
        yield times(123456789, f"<M8[{unit}]")
        yield times(-2, f"<m8[{unit}]")
    yield times([-1970, -1969, -1971, -3000, 8029, 8030, -12000, 98030], ">M8[Y]")
    yield times([-719528, -719529, -719162, 2932896, 2932897, -4371222, 11016, 11017], "<M8[D]")
    yield times([1, NAT, 2, 3], ">M8[25s]").reshape(2, 2)
    yield times(range(30), "<M8[7D]")
    yield times([NAT, NAT], "<M8")
    yield times(NAT, "<M8[D]")
    yield times([5, NAT], "<m8")
    yield times(5, "<m8")
    yield times([5, 100, NAT, -100000], ">m8[25s]")
    yield times(5, "<m8[25s]")
    yield times(NAT, "<m8[s]")
    for text in "1 1e15 1e16 123456789012345678 0.1 1e-4 9.9e-5 1e8 99999999 1e-4950 1e4932 inf -inf nan -0".split():
        yield np.array(long(text))
        yield np.array([long(text)])
    yield np.array([long("0.1"), long(1) / 3])
    yield np.array([long("1e4000"), long("-1e-4000"), long(0)])
    yield np.array([1, 1001, 1000.5], ">f16")
    yield np.array([long(1) / 3, 1000 / long(3)])
    yield np.array([long(2) ** power for power in (-16445, -16382, -64, 64, 16383)])
    yield np.array([complex(1, 2), complex(0, -0.5)]).astype("<c32") / 3
    yield np.array(complex(1, -0.0)).astype(">c32")
    records = np.array([(1, 2.5, b"ab"), (-100, 1e-9, b"")], [("a", "i4"), ("b", "f8"), ("c", "S3")])
    yield from (records, records[0], records[1], records[:0], records.reshape(2, 1))
    yield np.array([(1.0,), (0.1 + 0.2,)], [("x", "f8")])
    yield np.array((1e16,), [("x", "f4")])
    mixed = np.zeros(2, [("x", "?"), ("y", "c16"), ("z", "M8[D]"), ("w", "m8[s]"), ("v", "V2"), ("u", "U2"), ("h", "f2")])
    mixed[0] = (True, 1 + 2j, np.datetime64("NaT"), np.timedelta64("NaT"), b"ab", "é'", 0.1)
    mixed[1] = (False, 0.5, np.datetime64("2020-01-01"), 5, b"\x00\xff", "", 1000)
    yield from (mixed, mixed[0], mixed[1])
    nested = np.zeros(2, [("m", "<f8", (2, 3)), ("q", "?", (2,)), ("e", "i4", (0,)), ("e2", "i4", (2, 0))])
    nested["m"][1] = np.arange(6).reshape(2, 3) * 1.5
    nested["q"][0] = True
    yield from (nested, nested[0], nested[1])
    wide = np.zeros(2, [("m", "u2", (1001,)), ("n", "u1", (30, 50))])
    wide["m"] = np.arange(1001)
    wide["n"] = np.arange(50)
    wide["m"][1, 500] = 60000
    yield from (wide, wide[1])
    yield np.zeros(2, [("s", [("x", "i4"), ("y", "U3", (2,))], (2,)), ("v", "V3"), ("e", [])])
    yield np.zeros(2, [("a", "V0"), ("b", "S0"), ("c", "U0")])
    yield np.zeros(3, [])
    yield np.zeros((2, 2), [("a", "f16"), ("b", ">f4")])
    many = np.zeros(1200, [("a", "i2"), ("b", ("<i4", (2,)), (2,))])
    many["a"] = np.arange(1200)
    yield many
    padded = np.zeros(2, np.dtype([("a", "i1"), (("title", "b"), "<i4"), ("é", "i1")], align=True))
    padded["b"] = 7
    yield padded
    overlapping = np.zeros(2, {"names": ["a", "b"], "formats": ["<u4", "u1"], "offsets": [0, 1], "itemsize": 6})
    overlapping["a"] = 0x01020304
    yield overlapping
    yield np.zeros(1, [("日本", "<i4"), ("b", [("c", "i1")])])
    for dtype in "<f4 >f8 <c8 <f2".split():
        yield np.array(floats).astype(dtype)
    yield np.array([0, 1, 300, -5], ">i2").reshape(2, 2)


def value(item):
    """What `cat --json` should make of it."""
    if isinstance(item, np.ndarray):
        return [value(part) for part in item]
    if item.dtype.names is not None:
        return {name: value(item[name]) for name in item.dtype.names}
    match item.dtype.kind:
        case "V":
            return item.tobytes().hex()
        case "S":
            return item.decode("latin-1")
        case "c":
            return [value(item.real), value(item.imag)]
        case "f":
            if np.isfinite(item):
                # The fewest digits; what is beyond a double is beyond the readers of these tests too.
                shortest = float(np.format_float_scientific(item))
                return shortest if math.isfinite(shortest) else "beyond"
            return str(item)
        case "M":
            unit = np.datetime_data(item.dtype)[0]
            return None if np.isnat(item) else np.datetime_as_string(item, unit=unit)
        case "m":
            return None if np.isnat(item) else int(item.astype("i8"))
        case "U":
            units = np.frombuffer(np.array(item).astype("<U").tobytes(), "<u4")
            is_text = all(unit < 0xD800 or 0xDFFF < unit < 0x110000 for unit in units)
            return str(item) if is_text else [int(unit) for unit in units]
        case _:
            return item.item()


def described(array):
    record = {"dtype": shown(array.dtype), "shape": list(array.shape), "bytes": array.tobytes().hex()}
    # NumPy itself prints a text of no axes raw, and bytes with their type.
    if array.shape == () and array.dtype.kind == "S":
        record["text"] = str(array[()])
    else:
        record["text"] = str(array)
    flat = array.reshape(-1)
    record["values"] = [value(item) for item in flat] if array.size <= 100 else None
    saved = io.BytesIO()
    try:
        np.save(saved, array)
    except ValueError:
        return record
    header = saved.getvalue()[: len(saved.getvalue()) - array.nbytes]
    start = 10 if header[6] == 1 else 12
    text = header[start:].decode("utf-8" if header[6] == 3 else "latin-1").rstrip()
    record["npy"] = {"version": header[6], "header": text}
    return record


def write(name, records):
    lines = ",\n".join(json.dumps(record) for record in records)
    (HERE / name).write_text(f"[\n{lines}\n]\n")


np.seterr(all="ignore")
write("types.json", types())
write("arrays.json", (described(np.asarray(array)) for array in arrays()))
