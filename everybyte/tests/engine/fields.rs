//! Fields of fixed kinds: padding, arrays, signed codes, and integers of three and six bytes.

use everybyte::{
    Endian, Finding, Format, Layout, Source,
    bytes::Align,
    check, codes, explain,
    format::rewrite,
    fuzzing, layout,
    list::filling,
    map::{Node, Value},
    number::{I24, I48, OutOfRange, U24, U48},
    read,
    reference::{Book, TypeKind},
    text::Text,
    trace::trace,
    write,
};

/// Returns the rules and the fields of findings.
fn rules(findings: &[Finding]) -> Vec<(&str, &str)> {
    findings.iter().map(|finding| (finding.rule.as_str(), finding.path.as_str())).collect()
}

/// Records, each of which ends at a multiple of four.
#[layout]
#[brw(big, magic = b"P")]
struct Padded {
    padding: Align<8>,
    #[br(parse_with = filling(u64::MAX))]
    records: Vec<Record>,
}

/// A text whose padding is counted from its length, and one whose padding is counted from the beginning of the file.
#[layout]
struct Record {
    #[br(temp)]
    length: u8,
    #[br(count = length)]
    text: Text,
    #[layout(from = length)]
    own: Align<3, b'-'>,
    end: Align<4>,
}

impl Format for Padded {
    const NAME: &'static str = "padded";
}

const PADDED: &[u8] = b"P\0\0\0\0\0\0\0\x03abc--\0\0\x02ab\0";

fn padded() -> Padded {
    let record = |text: &str| Record { text: text.into(), own: Align::default(), end: Align::default() };
    Padded { padding: Align::default(), records: vec![record("abc"), record("ab")] }
}

#[test]
fn padding_is_written_by_itself_and_read_back() {
    assert_eq!(write(&padded(), Endian::Big).unwrap(), PADDED);
    assert_eq!(read::<Padded>(Source::new(PADDED), Endian::Big, ()).unwrap(), padded());
    assert_eq!(check::<Padded>(PADDED), []);
    let map = explain::<Padded>(PADDED).to_string();
    assert!(map.contains("records[0].own   ") && map.ends_with("every byte accounted for\n"), "{map}");
}

#[test]
fn padding_of_other_bytes_is_a_finding_and_is_kept() {
    let mut file = PADDED.to_vec();
    file[13] = b'?';
    file[15] = 1;
    let findings = check::<Padded>(&file);
    assert_eq!(rules(&findings), [("padding", "records[0].own"), ("padding", "records[0].end")]);
    assert_eq!((findings[0].bytes.clone(), findings[1].bytes.clone()), (12..14, 14..16));
    assert_eq!(findings[0].message, "the padding has 2 bytes, not all of which are 0x2d");
    let value: Padded = read(Source::new(&file), Endian::Big, ()).unwrap();
    assert_eq!(value.records[0].own.other_bytes(), Some(&b"-?"[..]));
    assert_eq!(write(&value, Endian::Big).unwrap(), file);
    assert_eq!(rewrite::<Padded>(&file).unwrap(), file);
    // Padding whose length has changed is created again.
    let mut value = value;
    value.records[0].text = "a".into();
    assert_eq!(write(&value, Endian::Big).unwrap()[8..12], *b"\x01a-\0");
}

#[test]
fn padding_that_the_file_ends_in_is_truncated() {
    assert_eq!(rules(&check::<Padded>(&PADDED[..13])), [("truncated", "records[0].own")]);
    assert_eq!(rules(&check::<Padded>(b"P\0")), [("truncated", "padding")]);
}

#[test]
fn files_with_padding_are_made_valid_nine_times_of_ten() {
    fuzzing::values::<Padded>(200);
    fuzzing::values::<Mixed>(200);
}

codes! {
    /// A direction.
    struct Direction(i16) {
        /// Backwards.
        BACK = -1 => "back";
        /// Nowhere.
        NONE = 0 => "none";
        /// Onwards.
        ON = 0x7FFF => "on";
    }
}

/// A level.
#[layout]
#[brw(repr = i8)]
enum Level {
    /// Below the ground.
    Low = -2,
    /// Above it.
    High = 3,
}

#[layout]
struct Point {
    x: i16,
    name: [u8; 2],
}

/// Arrays of numbers, of structures and of arrays; wide integers; signed codes.
#[layout]
struct Mixed {
    sizes: [u16; 3],
    points: [Point; 2],
    grid: [[u8; 2]; 2],
    directions: [Direction; 2],
    level: Level,
    #[br(temp)]
    length: U24,
    offset: I24,
    far: U48,
    near: I48,
    #[br(count = length.value())]
    text: Text,
}

impl Format for Mixed {
    const NAME: &'static str = "mixed";
}

fn mixed() -> Mixed {
    let point = |x, name: &[u8; 2]| Point { x, name: *name };
    Mixed {
        sizes: [1, 2, 0x303],
        points: [point(-1, b"ab"), point(5, b"cd")],
        grid: [[1, 2], [3, 4]],
        directions: [Direction::BACK, Direction(9)],
        level: Level::Low,
        offset: I24::try_from(-2).unwrap(),
        far: U48::MAX,
        near: I48::MIN,
        text: "xy".into(),
    }
}

#[test]
fn arrays_wide_integers_and_signed_codes_are_written_as_they_are_read_in_both_byte_orders() {
    for endian in [Endian::Big, Endian::Little] {
        let file = write(&mixed(), endian).unwrap();
        assert_eq!(file.len(), 6 + 8 + 4 + 4 + 1 + 3 + 3 + 6 + 6 + 2);
        assert_eq!(read::<Mixed>(Source::new(&file), endian, ()).unwrap(), mixed());
    }
    let file = write(&mixed(), Endian::Big).unwrap();
    assert_eq!(file[22..29], [0xfe, 0, 0, 2, 0xff, 0xff, 0xfe]);
    assert_eq!(file[29..41], [255, 255, 255, 255, 255, 255, 0x80, 0, 0, 0, 0, 0]);
    let file = write(&mixed(), Endian::Little).unwrap();
    assert_eq!(file[23..29], [2, 0, 0, 0xfe, 0xff, 0xff]);
}

/// Returns the node with this path, as seen from a node whose path is `around`.
fn find<'n>(node: Node<'n>, around: &str, path: &str) -> Option<Node<'n>> {
    node.children().find_map(|child| {
        let mut own = around.to_owned();
        child.step(&mut own);
        if own == path { Some(child) } else { find(child, &own, path) }
    })
}

#[test]
fn elements_of_arrays_have_nodes_and_negative_codes_have_names() {
    let file = write(&mixed(), Endian::Big).unwrap();
    let (_, nodes) = trace::<Mixed>(Source::new(&file), Endian::Big, ());
    let at = |path: &str| find(nodes.root(), "", path).unwrap_or_else(|| panic!("there is no {path}"));
    assert_eq!(at("sizes[2]").value(), Value::Uint(0x303));
    assert_eq!(at("points[0].x").value(), Value::Int(-1));
    assert_eq!((at("points[1].name").start(), at("grid[1]").start()), (12, 16));
    assert_eq!((at("directions[0]").value(), &*at("directions[0]").meaning()), (Value::Int(-1), "back"));
    assert_eq!(at("directions[1]").meaning(), "not defined");
    assert_eq!((at("level").value(), Level::Low.code()), (Value::Name("low".into()), -2));
    assert_eq!((at("offset").value(), at("near").value()), (Value::Int(-2), Value::Int(-(1 << 47))));
    assert_eq!((Mixed::MIN_SIZE, <[u16; 3]>::SIZE, <[Text; 2]>::SIZE), (41, Some(6), None));
    assert_eq!(<[Point; 2]>::type_name(), "[Point; 2]");
}

#[test]
fn an_array_that_the_file_ends_in_is_truncated_at_its_element() {
    let error = read::<Mixed>(Source::new(&[0; 12]), Endian::Big, ()).unwrap_err();
    assert_eq!((error.path.as_str(), error.offset), ("points[1].name", 12));
}

#[test]
fn a_field_reference_has_negative_codes() {
    let book = Book::of::<Mixed>();
    let TypeKind::Codes(codes) = &book.page("Direction").unwrap().kind else { panic!("it is no code") };
    let codes: Vec<_> = codes.iter().map(|code| (code.code, code.number())).collect();
    assert_eq!(codes, [(-1, "-1".into()), (0, "0x00".into()), (0x7FFF, "0x7fff".into())]);
}

#[test]
fn wide_integers_refuse_what_they_cannot_hold() {
    assert_eq!(U24::try_from(1_u32 << 24).unwrap_err().to_string(), "the number is out of the range of U24");
    assert_eq!((U24::MIN.value(), U24::MAX.value()), (0, 0xFF_FFFF));
    assert_eq!((I24::MIN.value(), I24::MAX.value()), (-(1 << 23), (1 << 23) - 1));
    let refused: Result<I24, OutOfRange> = I24::try_from(I24::MIN.value() - 1);
    assert!(refused.is_err() && I48::try_from(1_u64 << 47).is_err() && U48::try_from(1 << 48).is_err());
    let long = Mixed { text: "x".repeat(1 << 24).as_str().into(), ..mixed() };
    let error = write(&long, Endian::Big).unwrap_err();
    assert!(error.to_string().contains("16777216 does not fit into `length`"), "{error}");
}

/// Padding up to a multiple of a number that the file states.
#[layout]
struct Stated {
    unit: u8,
    #[br(args { to: unit.into() })]
    padding: Align<4>,
    end: u8,
}

impl Format for Stated {
    const NAME: &'static str = "stated";
}

#[test]
fn padding_goes_up_to_a_multiple_of_a_number_that_the_file_states() {
    for file in [&b"\x06\0\0\0\0\0!"[..], b"\x02\0!", b"\0\0\0\0!"] {
        assert_eq!(check::<Stated>(file), []);
        let value: Stated = read(Source::new(file), Endian::Little, ()).unwrap();
        assert_eq!(write(&value, Endian::Little).unwrap(), file);
    }
}
