//! Element types and single values: agreement with NumPy, and safety for any text.

use ndbytes::everybyte::Endian;
use ndbytes::{
    DateUnit, Decoded, Dtype, ElementKind, Error, Field, Item, ItemType, ItemTypeProblem, Items, Limits, LongDouble,
    Scalar, Structure, Subarray, TimeUnit,
};
use proptest::prelude::*;
use serde_json::Value;

fn frozen(name: &str) -> Vec<Value> {
    let path = ndbytes_testkit::frozen("numpy").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn bytes_of(record: &Value) -> Vec<u8> {
    let digits = record["bytes"].as_str().unwrap();
    (0..digits.len() / 2).map(|place| u8::from_str_radix(&digits[2 * place..2 * place + 2], 16).unwrap()).collect()
}

fn plain(name: &str) -> ItemType {
    ItemType::Plain(name.parse().unwrap())
}

#[test]
fn types_are_those_of_numpy() {
    for record in frozen("types.json") {
        let text = record["text"].as_str().unwrap();
        let parsed = text.parse::<ItemType>();
        let Some(shown) = record["str"].as_str() else {
            let error = parsed.expect_err(text);
            assert!(error.position <= text.len() && !error.to_string().is_empty());
            continue;
        };
        let item_type = parsed.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(record["size"], item_type.size(), "{text}");
        assert_eq!(record["alignment"], item_type.alignment(), "{text}");
        assert_eq!(item_type.to_string(), shown, "{text}");
        assert_eq!(shown.parse::<ItemType>().unwrap(), item_type, "{text}");
    }
}

/// NumPy reads its own text for these types back as a different type.
#[test]
fn types_that_numpy_reads_back_differently_are_spelled_out() {
    let cases = [
        (
            "{'names': ['x'], 'formats': [{'names': ['a', 'b'], 'formats': ['i1', '<i4'], 'aligned': True}]}",
            "[('x', {'names': ['a', 'b'], 'formats': ['i1', '<i4'], 'offsets': [0, 4], 'itemsize': 8})]",
        ),
        (
            "{'names': ['', 'b'], 'formats': ['i1', '<i4']}",
            "{'names': ['', 'b'], 'formats': ['i1', '<i4'], 'offsets': [0, 1], 'itemsize': 5}",
        ),
    ];
    for (text, shown) in cases {
        let item_type: ItemType = text.parse().unwrap();
        assert_eq!(item_type.to_string(), shown);
        assert_eq!(shown.parse::<ItemType>().unwrap().size(), item_type.size());
    }
    let packed = Structure::packed([("a".into(), plain("i1")), ("b".into(), plain("<i4"))]).unwrap();
    let field = Field { name: "x".into(), title: None, offset: 0, item_type: ItemType::Structure(packed) };
    let outer = ItemType::Structure(Structure::new(vec![field.clone()], 5, true).unwrap());
    assert_eq!(outer.to_string(), "[('x', [('a', 'i1'), ('b', '<i4')])]");
    // The layout is preserved, but the declaration is not.
    let read: ItemType = outer.to_string().parse().unwrap();
    assert!(read != outer && read.has_layout_of(&outer) && outer.has_layout_of(&read));
    let wider = ItemType::Structure(Structure::new(vec![field], 6, true).unwrap());
    assert!(!wider.has_layout_of(&outer) && !read.has_layout_of(&plain("V5")));
}

#[test]
fn errors_say_where_and_what() {
    use ItemTypeProblem as Problem;
    let same = Problem::SameName { name: "a".into() };
    let out = Problem::OutOfItem { name: "a".into(), end: Some(8), size: 7 };
    let unknown = Problem::UnknownDtype { name: "nope".into() };
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let deepest = (0..16).fold("'i1'".to_owned(), |text, _| format!("[('a', {text})]"));
    assert_eq!(deepest.parse::<ItemType>().unwrap().size(), 1);
    let cases = [
        ("[('a', 'nope')]", 7, unknown),
        ("[('b', [('a', 'i1'), ('a', 'i1')])]", 7, same),
        ("{'names': ['a'], 'formats': ['<i4'], 'offsets': [4], 'itemsize': 7}", 65, out),
        ("[('a', '<i4', (1, -1))]", 18, Problem::Number),
        ("[('\\ud800', '<i4')]", 3, Problem::Escape),
        ("[('a', 'i1'), 5]", 14, Problem::Expected("a field: a tuple of a name, a type and perhaps a shape")),
        ("{'names': [], 'formats': [], 'foo': 1}", 29, Problem::Key),
        ("{'names': [], 'names': [], 'formats': []}", 14, Problem::Key),
        (&deep(33), 32, Problem::TooDeep { most: 32 }),
        (&"[".repeat(1 << 20), 32, Problem::TooDeep { most: 32 }),
        (&"x".repeat((1 << 20) + 1), 0, Problem::TooLong { length: (1 << 20) + 1, most: 1 << 20 }),
        ("([], (1000000000,))", 1, Problem::TooManyValues { values: 1_000_000_000, size: 0 }),
        ("('i1', (1000000000, 0))", 1, Problem::TooManyValues { values: 1_000_000_000, size: 0 }),
        ("[('a', 'S2147483647'), ('b', 'S1')]", 0, Problem::TooLarge),
    ];
    for (text, position, problem) in cases {
        let error = text.parse::<ItemType>().unwrap_err();
        let shown: String = text.chars().take(80).collect();
        assert_eq!((error.position, error.problem), (position, problem), "{shown}");
    }
}

#[test]
fn npy_headers_are_those_of_numpy() {
    for record in frozen("arrays.json") {
        let item_type: ItemType = record["dtype"].as_str().unwrap().parse().unwrap();
        let shape: Vec<usize> = serde_json::from_value(record["shape"].clone()).unwrap();
        let bytes = bytes_of(&record);
        let mut items = Decoded::new(&bytes, &item_type, &shape).unwrap();
        let items: &mut dyn Items = &mut items;
        let mut file = Vec::new();
        let written = items.write_npy(&mut file, &Limits::default());
        let Some(expected) = record["npy"]["header"].as_str() else {
            assert!(matches!(written, Err(Error::Inexpressible { .. })), "{item_type}");
            continue;
        };
        written.unwrap();
        assert_eq!(record["npy"]["version"], file[6], "{item_type}");
        let start = if file[6] == 1 { 10 } else { 12 };
        let header = &file[start..file.len() - bytes.len()];
        let header = match file[6] {
            3 => String::from_utf8(header.to_vec()).unwrap(),
            _ => header.iter().map(|&byte| char::from(byte)).collect(),
        };
        assert_eq!(header.trim_end(), expected);
        assert_eq!((file.len() - bytes.len()) % 64, 0);
        assert_eq!(file[file.len() - bytes.len()..], bytes);
    }
}

#[test]
fn a_subarray_as_the_type_of_all_items_is_more_axes_in_npy() {
    let item_type: ItemType = "(('>i2', (2,)), (3,))".parse().unwrap();
    let bytes: Vec<u8> = (0..24).collect();
    let mut items = Decoded::new(&bytes, &item_type, &[2]).unwrap();
    let mut file = Vec::new();
    (&mut items as &mut dyn Items).write_npy(&mut file, &Limits::default()).unwrap();
    let header = String::from_utf8_lossy(&file[10..100]).into_owned();
    assert!(header.starts_with("{'descr': '>i2', 'fortran_order': False, 'shape': (2, 3, 2), }"), "{header}");
    assert_eq!(file[128..], bytes);
}

#[test]
fn scalars_keep_what_the_bytes_say() {
    let scalar = |bytes: &[u8], name: &str| Scalar::from_item(bytes, &name.parse().unwrap());
    assert_eq!(scalar(b"a\0b\0\0", "S5"), Scalar::ByteString(b"a\0b".to_vec()));
    let units = [0x41_u32, 0x11_0000, 0xd800, 0].map(u32::to_be_bytes).concat();
    assert_eq!(scalar(&units, ">U4"), Scalar::Str(vec![0x41, 0x11_0000, 0xd800]));
    let seconds = TimeUnit { unit: DateUnit::Second, count: 25 };
    assert_eq!(scalar(&(-2_i64).to_be_bytes(), ">M8[25s]"), Scalar::DateTime(-2, seconds));
    assert_eq!(scalar(&7_i64.to_le_bytes(), "<m8"), Scalar::TimeDelta(7, TimeUnit::GENERIC));
    assert_eq!(scalar(b"\x01\x02", "V2"), Scalar::Bytes(vec![1, 2]));
    let (int, text) = (Scalar::Int(1), Scalar::ByteString(b"xy".to_vec()));
    let bytes = [&b"xy"[..], &1_i16.to_le_bytes(), &2_i16.to_be_bytes()].concat();
    let overlapping = "{'names': ['a', 'b'], 'formats': [('<i2', (1,)), 'S2'], 'offsets': [2, 0], 'itemsize': 6}";
    let fields = vec![("a".into(), Scalar::Subarray(vec![1], vec![int])), ("b".into(), text)];
    assert_eq!(scalar(&bytes, overlapping), Scalar::Structure(fields));

    let item_type: ItemType = overlapping.parse().unwrap();
    let item = Item::new(&bytes, &item_type);
    let names: Vec<&str> = item.fields().map(|(field, _)| field.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    let (_, first) = item.fields().next().unwrap();
    assert_eq!(first.items().map(|item| item.scalar()).collect::<Vec<_>>(), [Scalar::Int(1)]);
}

#[test]
fn long_doubles_print_as_floats_do() {
    let cases = [
        (0x3fff, 1 << 63, "1", "1e0", "1.00"),
        (0xbfff, 3 << 62, "-1.5", "-1.5e0", "-1.50"),
        (0x3ffb, 0xcccc_cccc_cccc_cccd, "0.1", "1e-1", "0.10"),
        (0x4002, 0x9fff_ffff_ffff_ffff, "9.999999999999999999", "9.999999999999999999e0", "10.00"),
        (0x0000, 0, "0", "0e0", "0.00"),
        (0x7fff, 1 << 63, "inf", "inf", "inf"),
        (0x7fff, 0, "NaN", "NaN", "NaN"),
        (0x4000, 1 << 62, "NaN", "NaN", "NaN"),
        (0x3ff8, 1 << 63, "0.0078125", "7.8125e-3", "0.01"),
        (0x3ff7, 0xa3d7_0a3d_70a3_d70a, "0.005", "5e-3", "0.00"),
    ];
    for (sign_exponent, significand, plain, exponent, rounded) in cases {
        let number = LongDouble::from_bits(sign_exponent, significand);
        assert_eq!([number.to_string(), format!("{number:e}"), format!("{number:.2}")], [plain, exponent, rounded]);
    }
    let largest = LongDouble::from_bits(0x7ffe, u64::MAX);
    assert_eq!(format!("{largest:e}"), "1.189731495357231765e4932");
    assert_eq!(format!("{largest:.30e}"), "1.189731495357231765021263853031e4932");
    let least = LongDouble::from_bits(0, 1);
    assert_eq!(format!("{least:e}"), "4e-4951");
    assert_eq!(format!("{least:.0} {least:.3e}"), "0 3.645e-4951");
    assert_eq!(format!("{:.0e}", LongDouble::from(9.5)), "1e1");
    assert_eq!(format!("{:.0} {:.0}", LongDouble::from(0.5), LongDouble::from(1.5)), "0 2");
    for value in [0.1, -5e-324, f64::MAX, f64::MIN_POSITIVE, 0.0] {
        let long = LongDouble::from(value);
        assert_eq!(format!("{long:.40e}"), format!("{value:.40e}"));
    }
}

#[test]
fn constructors_keep_the_bounds() {
    let huge = ItemType::Plain(Dtype { kind: ElementKind::Record(u64::MAX), endian: Endian::Little });
    let two = plain("<i2");
    let problem = Structure::packed([("a".into(), huge.clone()), ("b".into(), huge.clone())]).unwrap_err();
    assert_eq!(problem, ItemTypeProblem::TooLarge);
    assert_eq!(Subarray::new(huge, vec![2]).unwrap_err(), ItemTypeProblem::TooLarge);
    assert_eq!(Subarray::new(plain("i1"), vec![u64::MAX, u64::MAX]).unwrap_err(), ItemTypeProblem::TooLarge);
    let short = Decoded::new(&[0; 3], &two, &[2]);
    assert!(matches!(short, Err(Error::BufferLength { needed: 4, given: 3 })), "{short:?}");
    let endless = Decoded::new(&[], &two, &[usize::MAX, usize::MAX]);
    assert!(matches!(endless, Err(Error::BufferLength { needed: u64::MAX, given: 0 })), "{endless:?}");
    let mut items = Decoded::new(&[1, 0, 2, 0], &two, &[2]).unwrap();
    assert_eq!(items.read(1, 1).unwrap(), [2, 0]);
    assert!(matches!(items.read(1, 2), Err(Error::OutOfRange { .. })));
    assert!(matches!(items.read(u64::MAX, 2), Err(Error::OutOfRange { .. })));
}

/// Pieces of types, whose combinations are often almost valid.
const PIECES: [&str; 44] = [
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ",",
    ":",
    "'",
    "\"",
    "\\",
    " ",
    "\n",
    "\0",
    "é",
    "'a'",
    "'b'",
    "'<i4'",
    "'S5'",
    "'U'",
    "('a', '<i4')",
    "('b', 'i1'), ",
    "'names': ",
    "'formats': ",
    "'offsets': ",
    "'titles': ",
    "'itemsize': ",
    "'aligned': ",
    "['a', 'b']",
    "['<i4', 'i1']",
    "[0, 4]",
    "True",
    "False",
    "None",
    "0",
    "2",
    "-1",
    "2147483647",
    "99999999999999999999",
    "(2, 3)",
    "()",
    "\\x41",
    "\\ud800",
    "<M8[25s]",
];

proptest! {
    #[test]
    fn any_text_is_a_type_or_an_error(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24)) {
        let text = pieces.concat();
        match text.parse::<ItemType>() {
            Ok(item_type) => {
                let back = item_type.to_string().parse::<ItemType>().unwrap();
                prop_assert_eq!(back.to_string(), item_type.to_string());
                prop_assert_eq!(back.size(), item_type.size());
            }
            Err(error) => prop_assert!(error.position <= text.len()),
        }
    }

    #[test]
    fn any_bytes_are_read_as_scalars(
        bytes in prop::collection::vec(any::<u8>(), 62),
        name in prop::sample::select(vec!["S62", "[('a', '>f16'), ('b', '<c32'), ('c', '<U3'), ('d', 'S2')]", "('>M8[as]', (7,))"]),
    ) {
        let item_type: ItemType = name.parse().unwrap();
        let bytes = &bytes[..item_type.size() as usize];
        let scalar = Scalar::from_item(bytes, &item_type);
        prop_assert_eq!(format!("{:?}", scalar), format!("{:?}", Item::new(bytes, &item_type).scalar()));
    }
}
