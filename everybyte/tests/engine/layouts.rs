//! The code that `#[layout]` generates for a declaration, through the public interface. The tests cover the tree of
//! nodes, the position and message of an error, the bounds on what a file declares, and the field reference.

use crate::support::{assert_tiled, leaves, outline, part, path_of};
use everybyte::bits::{B6, B7, B8, B63, InvalidBitPattern, OutOfBounds, Specifier};
use everybyte::map::Nodes;
use everybyte::reference::Layout;
use everybyte::{
    BinRead, Endian, ParseError, Source,
    bytes::{Region, Rest, Zeros},
    error::Problem,
    layout,
    map::{Index, Value},
    read,
    reference::{Bits, Book, TypeKind},
    text::NulString,
    trace::{read_next, trace},
    write,
};

/// Reads with and without a trace; both results must agree.
fn both<T>(bytes: &[u8], endian: Endian, args: T::Args<'static>) -> (Result<T, Box<ParseError>>, Nodes)
where
    T: BinRead + Layout + PartialEq + std::fmt::Debug,
    T::Args<'static>: Clone,
{
    let plain = read::<T>(Source::new(bytes), endian, args.clone());
    let (traced, nodes) = trace::<T>(Source::new(bytes), endian, args);
    assert_eq!(plain, traced);
    (traced, nodes)
}

fn failure<T>(bytes: &[u8], args: T::Args<'static>) -> (String, u64, u64, Problem)
where
    T: BinRead + Layout + PartialEq + std::fmt::Debug,
    T::Args<'static>: Clone,
{
    let (result, nodes) = both::<T>(bytes, Endian::Little, args);
    let root = nodes.root();
    let error = *result.unwrap_err();
    assert_eq!(path_of(root), error.path, "the unfinished nodes are the path");
    assert!(root.end() <= bytes.len() as u64 && !root.is_complete());
    (error.path, error.offset, error.length, error.problem)
}

fn needs(needed: u64, left: u64) -> Problem {
    Problem::End { needed, left }
}

// ---- Structures and lists ----

/// A table.
#[layout]
#[brw(little)]
struct Table {
    /// Tells what follows.
    version: u16,
    #[br(temp)]
    #[bw(try_calc = u8::try_from(columns.len()))]
    column_count: u8,
    /// The columns.
    #[br(count = column_count)]
    columns: Vec<Column>,
    tail: u8,
}

/// A column.
#[layout]
#[brw(little)]
struct Column {
    kind: u8,
    #[br(temp)]
    #[bw(try_calc = u8::try_from(lookup.len()))]
    lookup_count: u8,
    #[br(count = lookup_count)]
    lookup: Vec<Block>,
}

#[layout]
#[brw(little)]
struct Block {
    offset: u32,
    length: u16,
}

fn table() -> Vec<u8> {
    let block = |number: u8| [number, 0, 0, 0, number + 1, 0];
    let mut bytes = vec![7, 0, 3];
    for blocks in [1, 0, 2] {
        bytes.extend([9, blocks]);
        bytes.extend((0..blocks).flat_map(block));
    }
    bytes.push(0xEE);
    bytes
}

#[test]
fn nested_structures_have_nested_nodes() {
    let bytes = table();
    let (table, nodes) = both::<Table>(&bytes, Endian::Little, ());
    let root = nodes.root();
    let table = table.unwrap();
    assert_eq!(table.columns[2].lookup[1], Block { offset: 1, length: 2 });
    assert_tiled(root, 0..bytes.len() as u64);
    assert_eq!(
        outline(root),
        [
            "version 0..2 u16 = 7",
            "column_count 2..3 u8 = 3",
            "columns[0].kind 3..4 u8 = 9",
            "columns[0].lookup_count 4..5 u8 = 1",
            "columns[0].lookup[0].offset 5..9 u32 = 0",
            "columns[0].lookup[0].length 9..11 u16 = 1",
            "columns[1].kind 11..12 u8 = 9",
            "columns[1].lookup_count 12..13 u8 = 0",
            "columns[1].lookup 13..13 [Block] = ",
            "columns[2].kind 13..14 u8 = 9",
            "columns[2].lookup_count 14..15 u8 = 2",
            "columns[2].lookup[0].offset 15..19 u32 = 0",
            "columns[2].lookup[0].length 19..21 u16 = 1",
            "columns[2].lookup[1].offset 21..25 u32 = 1",
            "columns[2].lookup[1].length 25..27 u16 = 2",
            "tail 27..28 u8 = 238",
        ]
    );
    assert_eq!(write(&table, Endian::Little).unwrap(), bytes);
    let columns = root.child("columns").unwrap();
    assert_eq!((columns.doc(), columns.start(), columns.end(), columns.is_complete()), ("The columns.", 3, 27, true));
    assert_eq!(part(columns, 1).index(), Some(Index::One(1)));
}

#[test]
fn an_end_has_the_field_its_place_and_what_is_missing() {
    let bytes = table();
    let cases = [
        (0, "version", 0, 2, needs(2, 0)),
        (1, "version", 0, 2, needs(2, 1)),
        (2, "column_count", 2, 1, needs(1, 0)),
        // Three columns take at least six bytes, so the list is refused before its first element.
        (3, "columns", 3, 0, Problem::TooMany { count: 3, element: 2, left: 0 }),
        (8, "columns", 3, 5, Problem::TooMany { count: 3, element: 2, left: 5 }),
        (9, "columns[0].lookup", 5, 4, Problem::TooMany { count: 1, element: 6, left: 4 }),
        (11, "columns[1].kind", 11, 1, needs(1, 0)),
        (12, "columns[1].lookup_count", 12, 1, needs(1, 0)),
        (26, "columns[2].lookup", 15, 11, Problem::TooMany { count: 2, element: 6, left: 11 }),
        (27, "tail", 27, 1, needs(1, 0)),
    ];
    for (length, path, offset, taken, problem) in cases {
        let expected = (path.to_owned(), offset, taken, problem);
        assert_eq!(failure::<Table>(&bytes[..length], ()), expected, "cut to {length}");
    }
}

/// Elements of no fixed length, so that the end comes inside one of them.
#[layout]
#[brw(little)]
struct Names {
    count: u8,
    #[br(count = count)]
    names: Vec<Name>,
}

#[layout]
#[brw(little)]
struct Name {
    text: NulString,
    code: u16,
}

#[test]
fn an_end_inside_an_element_of_a_list_has_its_index() {
    let bytes = b"\x02ab\0\x01\x00cdef\0\x02\x00";
    assert_eq!(both::<Names>(bytes, Endian::Little, ()).0.unwrap().names[1].text.bytes(), b"cdef");
    // Text without a terminator takes all remaining bytes, and needs at least one more.
    assert_eq!(failure::<Names>(&bytes[..9], ()), ("names[1].text".into(), 6, 4, needs(4, 3)));
    assert_eq!(failure::<Names>(&bytes[..12], ()), ("names[1].code".into(), 11, 2, needs(2, 1)));
    let error = read::<Names>(Source::new(&bytes[..9]), Endian::Little, ()).unwrap_err();
    assert_eq!(error.to_string(), "names[1].text at byte 6: 4 bytes are needed here, but only 3 bytes are left");
}

#[test]
fn a_structure_in_the_middle_of_a_space_has_offsets_of_the_space() {
    let bytes = [&[0xFF; 10][..], &table()].concat();
    let mut source = Source::new(&bytes).at(10);
    let (_, nodes) = trace::<Table>(source, Endian::Little, ());
    let root = nodes.root();
    assert_tiled(root, 10..bytes.len() as u64);
    read_next::<Table>(&mut source, Endian::Little, ()).unwrap();
    assert_eq!(source.position(), bytes.len() as u64);
    let error = read::<Table>(Source::new(&bytes).at(38), Endian::Little, ()).unwrap_err();
    assert_eq!((error.path.as_str(), error.offset, error.problem), ("version", 38, needs(2, 0)));
    // Reading from a position beyond the end causes the same error.
    let error = read::<Table>(Source::new(&bytes).at(1 << 40), Endian::Little, ()).unwrap_err();
    assert_eq!((error.offset, error.problem), (1 << 40, needs(2, 0)));
}

#[test]
fn bytes_that_are_not_at_hand_are_no_end() {
    let bytes = table();
    for length in 0..bytes.len() {
        let source = Source::prefix(&bytes[..length], bytes.len() as u64);
        let error = read::<Table>(source, Endian::Little, ()).unwrap_err();
        assert_eq!(error.problem, Problem::Unavailable, "{length} bytes at hand");
    }
}

#[test]
fn bytes_after_the_end_of_a_space_are_none_of_it() {
    let bytes = table();
    for length in 0..bytes.len() as u64 {
        let source = Source::prefix(&bytes, length);
        assert_eq!((source.length(), source.bytes().len() as u64), (length, length));
        let error = read::<Table>(source, Endian::Little, ()).unwrap_err();
        let expected = failure::<Table>(&bytes[..length as usize], ());
        assert_eq!((error.path.clone(), error.offset, error.length, error.problem.clone()), expected, "{length} bytes");
    }
    // A window that begins after the end has no bytes at all.
    let source = Source::window(&bytes, 40, 30);
    assert_eq!((source.length(), source.bytes()), (30, &[][..]));
}

// ---- Conditions, temporaries, maps, seeks ----

#[layout]
#[brw(little)]
struct Conditional {
    flags: u8,
    #[br(if(flags & 1 != 0))]
    number: Option<u32>,
    #[br(if(flags & 2 != 0))]
    block: Option<Block>,
    #[br(if(flags & 4 != 0, 9))]
    #[bw(if(flags & 4 != 0))]
    level: u8,
    #[br(temp, if(flags & 8 != 0))]
    #[bw(calc = (!list.is_empty()).then_some(list.len() as u8))]
    length: Option<u8>,
    #[br(if(flags & 8 != 0), count = length.unwrap_or(0))]
    list: Vec<u16>,
}

#[test]
fn absent_fields_have_no_node() {
    let (value, nodes) = both::<Conditional>(&[0], Endian::Little, ());
    let root = nodes.root();
    assert_eq!(value.unwrap().level, 9);
    assert_eq!(outline(root), ["flags 0..1 u8 = 0"]);

    let bytes = [0x0F, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 4, 1, 0x34, 0x12];
    let (value, nodes) = both::<Conditional>(&bytes, Endian::Little, ());
    let root = nodes.root();
    let expected = [
        "flags 0..1 u8 = 15",
        "number 1..5 u32 = 1",
        "block.offset 5..9 u32 = 2",
        "block.length 9..11 u16 = 3",
        "level 11..12 u8 = 4",
        "length 12..13 u8 = 1",
        "list[0] 13..15 u16 = 4660",
    ];
    assert_eq!(outline(root), expected);
    assert_eq!(write(&value.unwrap(), Endian::Little).unwrap(), bytes);
    // An optional field that is present can be truncated like any other.
    assert_eq!(failure::<Conditional>(&bytes[..3], ()), ("number".into(), 1, 3, needs(3, 2)));
    assert_eq!(failure::<Conditional>(&bytes[..8], ()), ("block.offset".into(), 5, 4, needs(4, 3)));
}

#[layout]
#[brw(little)]
struct Mapped {
    #[br(map = |raw: u16| raw != 0)]
    #[bw(map = |truth: &bool| u16::from(*truth))]
    truth: bool,
    #[br(try_map = |raw: [u8; 3]| String::from_utf8(raw.to_vec()))]
    #[bw(map = |text: &String| text.clone().into_bytes())]
    text: String,
    #[br(calc = text.len() as u64)]
    #[bw(ignore)]
    length: u64,
    #[br(try_calc = u8::try_from(length * 100))]
    #[bw(ignore)]
    derived: u8,
}

#[test]
fn a_mapped_field_shows_what_stands_in_the_file() {
    let bytes = *b"\x01\x00ab\0";
    let (result, nodes) = both::<Mapped>(&bytes, Endian::Little, ());
    let root = nodes.root();
    let problem = result.unwrap_err().problem;
    assert!(matches!(problem, Problem::Invalid(_)), "{problem:?}");
    assert_eq!(outline(root), ["truth 0..2 u16 = 1", "text 2..5 [u8; 3] = 61 62 00"]);

    #[layout]
    struct Truth {
        #[brw(little)]
        #[br(map = |raw: u16| raw != 0)]
        #[bw(map = |truth: &bool| u16::from(*truth))]
        truth: bool,
        #[br(calc = !truth)]
        #[bw(ignore)]
        lie: bool,
    }
    let (value, nodes) = both::<Truth>(&[5, 0], Endian::Little, ());
    let root = nodes.root();
    assert_eq!(value.unwrap(), Truth { truth: true, lie: false });
    assert_eq!(outline(root), ["truth 0..2 u16 = 5"]);
    assert_eq!(Truth::MIN_SIZE, 2);
    assert_eq!(Truth::SIZE, Some(2));
    assert_eq!(failure::<Truth>(&[5], ()), ("truth".into(), 0, 2, needs(2, 1)));
    let book = Book::of::<Truth>();
    let TypeKind::Structure(fields) = &book.types[0].kind else { panic!("{book:?}") };
    assert_eq!((fields.len(), fields[0].type_name.as_str(), fields[0].size), (1, "u16", Some(2)));
}

#[test]
fn a_field_elsewhere_has_its_own_place() {
    #[layout]
    #[brw(little)]
    struct Pointing {
        pointer: u8,
        #[br(seek_before = std::io::SeekFrom::Start(u64::from(pointer)), restore_position)]
        #[bw(seek_before = std::io::SeekFrom::Start(u64::from(*pointer)), restore_position)]
        target: u16,
        next: u8,
    }
    let bytes = [4, 7, 0, 0, 0x34, 0x12];
    let (value, nodes) = both::<Pointing>(&bytes, Endian::Little, ());
    let root = nodes.root();
    let value = value.unwrap();
    assert_eq!(value, Pointing { pointer: 4, target: 0x1234, next: 7 });
    assert_eq!(outline(root), ["pointer 0..1 u8 = 4", "target 4..6 u16 = 4660", "next 1..2 u8 = 7"]);
    assert_eq!((root.start(), root.end()), (0, 2));
    assert_eq!(write(&value, Endian::Little).unwrap(), bytes);
    // If bytes are missing at the target, the error is reported there, not at the pointer.
    assert_eq!(failure::<Pointing>(&[5, 7, 0, 0, 0, 0], ()), ("target".into(), 5, 2, needs(2, 1)));
    assert_eq!(failure::<Pointing>(&[200, 7], ()), ("target".into(), 200, 2, needs(2, 0)));
}

#[layout]
#[brw(little)]
struct Guarded {
    #[br(assert(first != 0, "the first is {first}"))]
    first: u8,
    #[br(assert(second > u16::from(first)))]
    second: u16,
}

#[test]
fn an_assertion_says_its_words() {
    assert_eq!(both::<Guarded>(&[1, 2, 0], Endian::Little, ()).0.unwrap().second, 2);
    let problem = Problem::Invalid("the first is 0".into());
    assert_eq!(failure::<Guarded>(&[0, 2, 0], ()), ("first".into(), 0, 1, problem));
    let (path, offset, length, problem) = failure::<Guarded>(&[1, 1, 0], ());
    assert_eq!((path.as_str(), offset, length), ("second", 1, 2));
    assert!(matches!(&problem, Problem::Invalid(words) if words.contains("second > u16")), "{problem:?}");
}

#[test]
fn an_assertion_of_a_structure_blames_none_of_its_fields() {
    #[layout]
    #[br(assert(last != 2, "the last is 2"))]
    struct Whole {
        first: u8,
        #[br(assert(last > first))]
        last: u8,
        #[br(try_calc = 3_u8.checked_sub(last).ok_or(Problem::Invalid("the last is over 3".into())))]
        #[bw(ignore)]
        left: u8,
    }
    assert_eq!(both::<Whole>(&[1, 3], Endian::Little, ()).0.unwrap().left, 0);
    assert_eq!(failure::<Whole>(&[1, 2], ()), ("".into(), 0, 2, Problem::Invalid("the last is 2".into())));
    assert_eq!(failure::<Whole>(&[1, 4], ()), ("".into(), 0, 2, Problem::Invalid("the last is over 3".into())));
    assert_eq!(failure::<Whole>(&[1, 1], ()).0, "last");
}

// ---- Codes and bits ----

#[layout]
#[brw(repr = u16)]
enum Code {
    /// The first.
    One = 1,
    /// The last.
    TwoWords = 0x1234,
}

#[test]
fn a_code_has_its_name_in_both_byte_orders() {
    for (endian, bytes) in [(Endian::Little, [0x34, 0x12]), (Endian::Big, [0x12, 0x34])] {
        let (code, nodes) = both::<Code>(&bytes, endian, ());
        let root = nodes.root();
        assert_eq!(code.unwrap(), Code::TwoWords);
        assert_eq!((root.value(), &*root.meaning(), root.end()), (Value::Name("two_words".into()), "The last.", 2));
        assert_eq!(write(&Code::TwoWords, endian).unwrap(), bytes);
    }
    assert_eq!((Code::ALL, Code::One.code(), Code::One.name()), (&[Code::One, Code::TwoWords][..], 1, "one"));
    #[layout]
    #[brw(little)]
    struct Coded {
        before: u8,
        code: Code,
    }
    let (path, offset, length, problem) = failure::<Coded>(&[0, 2, 1], ());
    assert_eq!((path.as_str(), offset, length), ("code", 1, 2));
    assert_eq!(problem, Problem::UnknownCode { found: vec![2, 1] });
    assert_eq!(problem.to_string(), "0x0201 is not a defined code");
    assert_eq!(failure::<Coded>(&[0, 2], ()).3, needs(2, 1));
}

/// Some bits.
#[layout(bits = 16)]
struct Some16 {
    /// The lowest.
    low: bool,
    level: B7,
    high: B8,
}

#[test]
fn bits_have_their_names_in_the_map() {
    #[layout]
    struct Holder {
        before: u8,
        bits: Some16,
    }
    for (endian, bytes) in [(Endian::Little, [0, 0x0B, 0x80]), (Endian::Big, [0, 0x80, 0x0B])] {
        let (holder, nodes) = both::<Holder>(&bytes, endian, ());
        let root = nodes.root();
        let holder = holder.unwrap();
        assert_eq!((holder.bits.low(), holder.bits.level(), holder.bits.high()), (true, 5, 0x80));
        assert_eq!(holder.bits.raw(), 0x800B);
        let node = part(root, 1);
        let run = |name: &'static str, first, width, value, doc: &'static str| {
            let (name, doc, none) = (name.into(), doc.into(), everybyte::map::Name::default());
            Bits { name, first, width, value, meaning: none.clone(), type_name: none, doc }
        };
        let runs = [run("low", 0, 1, 1, "The lowest."), run("level", 1, 7, 5, ""), run("high", 8, 8, 0x80, "")];
        assert_eq!(node.bits(), runs);
        assert_eq!((node.value(), &*node.meaning()), (Value::Flags(0x800B), "low, level = 0x5, high = 0x80"));
        assert_eq!((node.start(), node.end()), (1, 3));
        assert_eq!(write(&holder, endian).unwrap(), bytes);
    }
    assert_eq!(Some16::from_raw(0).meaning(), "");
    assert_eq!(failure::<Holder>(&[0, 1], ()), ("bits".into(), 1, 2, needs(2, 1)));
}

/// A custom enum in a bit field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speed {
    Slow,
    Fast,
}

impl Specifier for Speed {
    const BITS: usize = 1;
    type Bytes = u8;
    type InOut = Speed;

    fn into_bytes(speed: Speed) -> Result<u8, OutOfBounds> {
        Ok((speed == Speed::Fast).into())
    }

    fn from_bytes(bits: u8) -> Result<Speed, InvalidBitPattern<u8>> {
        Ok(if bits == 0 { Speed::Slow } else { Speed::Fast })
    }
}

#[layout(bits = 64)]
struct Wide {
    most: B63,
    speed: Speed,
}

#[test]
fn bits_are_changed_one_run_at_a_time() {
    let wide = Wide::new().with_most(u64::MAX >> 1);
    assert_eq!((wide.raw(), wide.most(), wide.speed()), (u64::MAX >> 1, u64::MAX >> 1, Speed::Slow));
    let fast = wide.with_most(5).with_speed(Speed::Fast);
    assert_eq!((fast.raw(), fast.most(), fast.speed()), (1 << 63 | 5, 5, Speed::Fast));
    assert_eq!(format!("{fast:?}"), "Wide { most: 5, speed: Fast }");
    assert_eq!((Wide::default(), Wide::from_raw(5)), (Wide::new(), Wide::new().with_most(5)));
}

/// A code derived with `modular_bitfield`, which has no value for the bits `10`.
#[derive(Specifier, Debug, PartialEq)]
#[bits = 2]
enum Depth {
    Eight,
    Sixteen,
    Float = 3,
}

#[layout(bits = 16)]
struct Pixels {
    depth: Depth,
    channels: u8,
    rest: B6,
}

#[test]
fn bits_that_stand_for_no_value_are_an_error() {
    let pixels = both::<Pixels>(&[0x0D, 0], Endian::Little, ()).0.unwrap();
    assert_eq!((pixels.depth(), pixels.channels(), pixels.rest()), (Depth::Sixteen, 3, 0));
    assert_eq!(pixels.with_depth(Depth::Float).raw(), 0x0F);
    let message = "the bits of `depth` are 0x2, which stands for no value";
    let problem = Problem::Invalid(message.into());
    assert_eq!(failure::<Pixels>(&[0x0E, 0], ()), (String::new(), 0, 0, problem));
    // The map and `Debug` show them nonetheless.
    let wrong = Pixels::from_raw(0x0E);
    assert_eq!(format!("{wrong:?}"), "Pixels { depth: 0x2, channels: 3, rest: 0 }");
    assert_eq!(wrong.bits()[0].value, 2);
}

#[test]
#[should_panic = "the value has more bits than its field"]
fn bits_refuse_a_value_that_their_run_does_not_hold() {
    let _ = Some16::new().with_level(0x80);
}

// ---- Magic ----

#[layout]
#[brw(magic = b"PK")]
struct Packed {
    value: u8,
}

#[layout]
#[brw(magic(0x1234u16))]
struct Numbered {
    value: u8,
}

#[test]
fn a_magic_has_a_node_and_bytes_that_differ_are_named() {
    for endian in [Endian::Little, Endian::Big] {
        let (value, nodes) = both::<Packed>(b"PK\x05", endian, ());
        let root = nodes.root();
        assert_eq!(outline(root), ["magic 0..2 [u8; 2] = \"PK\"", "value 2..3 u8 = 5"]);
        assert_eq!(write(&value.unwrap(), endian).unwrap(), b"PK\x05");
    }
    for (endian, bytes) in [(Endian::Little, [0x34, 0x12, 5]), (Endian::Big, [0x12, 0x34, 5])] {
        let (value, nodes) = both::<Numbered>(&bytes, endian, ());
        let root = nodes.root();
        assert_eq!(outline(root), ["magic 0..2 u16 = 4660", "value 2..3 u8 = 5"]);
        assert_eq!(write(&value.unwrap(), endian).unwrap(), bytes);
        let wrong = both::<Numbered>(b"PK\x05", endian, ()).0.unwrap_err();
        assert_eq!((wrong.path.as_str(), wrong.offset, wrong.length), ("magic", 0, 2));
        let expected = bytes[..2].to_vec();
        assert_eq!(wrong.problem, Problem::WrongMagic { expected, found: b"PK".to_vec() });
    }
    assert_eq!((Packed::MIN_SIZE, Packed::SIZE), (3, Some(3)));
    let wrong = failure::<Packed>(b"PL\x05", ()).3;
    assert_eq!(wrong.to_string(), "expected 0x504b, found 0x504c");
    assert_eq!(failure::<Packed>(b"P", ()), ("magic".into(), 0, 2, needs(2, 1)));
}

// ---- Alternatives ----

/// Either of some things.
#[layout]
#[brw(little)]
#[br(import(kind: u8))]
enum Choice {
    /// Three fields, of which the second may not be zero.
    #[br(pre_assert(kind < 2))]
    First {
        one: u8,
        #[br(assert(two != 0, "two is zero"))]
        two: u8,
        three: u32,
    },
    /// Taken where the first does not fit.
    #[br(pre_assert(kind == 1 || kind == 2))]
    Second { list: [u8; 2], inner: Inner },
    /// Nothing at all.
    #[br(pre_assert(kind == 3))]
    Nothing {},
    /// Begins with what is not in the file.
    #[br(pre_assert(kind == 4 || kind == 0))]
    Late {
        #[br(calc = kind + 1)]
        #[bw(ignore)]
        made_up: u8,
        #[br(if(kind == 4))]
        absent_at_first: Option<u8>,
        last: u8,
    },
}

#[layout]
#[brw(little)]
enum Inner {
    #[br(pre_assert(true))]
    Long { word: u16, magic_word: Numbered },
    #[br(pre_assert(true))]
    Short { byte: u8 },
}

fn outline_of_choice(bytes: &[u8], kind: u8) -> Vec<String> {
    let (value, nodes) = both::<Choice>(bytes, Endian::Little, (kind,));
    let root = nodes.root();
    let value = value.unwrap();
    assert_tiled(root, 0..root.end());
    assert_eq!(write(&value, Endian::Little).unwrap(), bytes[..root.end() as usize]);
    assert_eq!(root.value(), value.value());
    outline(root)
}

#[test]
fn the_alternative_that_is_taken_is_the_one_that_is_recorded() {
    assert_eq!(outline_of_choice(&[1, 2, 3, 0, 0, 0], 0), ["one 0..1 u8 = 1", "two 1..2 u8 = 2", "three 2..6 u32 = 3"]);
    let second = ["list 0..2 [u8; 2] = 01 00", "inner.byte 2..3 u8 = 7"];
    // The first alternative fails after one field, the inner one after two.
    assert_eq!(outline_of_choice(&[1, 0, 7, 0, 0, 0], 1), second);
    assert_eq!(outline_of_choice(&[1, 0, 7, 0, 0, 0], 2), second);
    assert_eq!(
        outline_of_choice(&[1, 0, 7, 0, 0x34, 0x12, 9], 2)[1..],
        ["inner.word 2..4 u16 = 7", "inner.magic_word.magic 4..6 u16 = 4660", "inner.magic_word.value 6..7 u8 = 9"]
    );
    // The first fields of `Late` are not in the file, but the fields that `First` recorded are dropped.
    assert_eq!(outline_of_choice(&[1, 0], 0), ["last 0..1 u8 = 1"]);
    assert_eq!(outline_of_choice(&[1, 5], 4), ["absent_at_first 0..1 u8 = 1", "last 1..2 u8 = 5"]);
    let (value, nodes) = both::<Choice>(&[1, 2], Endian::Little, (3,));
    let root = nodes.root();
    assert_eq!((value.unwrap(), root.end(), root.children().count()), (Choice::Nothing {}, 0, 0));
    assert_eq!(Choice::MIN_SIZE, 0);
    assert_eq!((Inner::MIN_SIZE, Inner::SIZE), (1, None));
}

#[test]
fn an_alternative_without_fields_forgets_what_was_tried_before() {
    #[layout]
    enum Maybe {
        #[br(pre_assert(true))]
        Some { one: u8, two: u16 },
        #[br(pre_assert(true))]
        None {},
    }
    let (value, nodes) = both::<Maybe>(&[1, 2], Endian::Big, ());
    let root = nodes.root();
    assert_eq!((value.unwrap(), root.end(), outline(root).len()), (Maybe::None {}, 0, 0));
}

#[test]
fn the_error_of_alternatives_is_that_of_the_last_one_that_was_tried() {
    #[layout]
    #[brw(little)]
    struct Holder {
        kind: u8,
        #[br(args(kind))]
        choice: Choice,
    }
    let fail = |bytes: &[u8]| {
        let (path, offset, length, problem) = failure::<Holder>(bytes, ());
        (path, offset, length, problem)
    };
    // No alternative is tried: the error is in the code before them, but at the position where they would begin.
    let (path, offset, _, problem) = fail(&[9, 1, 2]);
    assert_eq!((path.as_str(), offset), ("choice", 1));
    assert!(matches!(problem, Problem::UnknownCode { .. }), "{problem:?}");
    // Only `Second` is tried; within `Inner`, first `Long`, then `Short`.
    assert_eq!(fail(&[2, 1]), ("choice.list".into(), 1, 2, needs(2, 1)));
    assert_eq!(fail(&[2, 1, 1]), ("choice.inner.byte".into(), 3, 1, needs(1, 0)));
    // `First` fails first, then `Second`.
    assert_eq!(fail(&[1, 1]), ("choice.list".into(), 1, 2, needs(2, 1)));
    // `First` fails on its assertion, then `Late` because bytes are missing.
    assert_eq!(fail(&[0]), ("choice.last".into(), 1, 1, needs(1, 0)));

    #[layout]
    #[br(import(kind: u8))]
    enum Strict {
        #[br(pre_assert(kind == 1, "kind is not 1"))]
        One {
            #[br(assert(value > 4, "value is {value}"))]
            value: u8,
        },
        #[br(pre_assert(kind == 2, "kind is not 2"))]
        Two { value: u8 },
    }
    // The message comes from the assertion that failed, not from the outer guard.
    let (.., problem) = failure::<Strict>(&[4], (1,));
    assert_eq!(problem, Problem::Invalid("value is 4".into()));
}

// ---- Long lists ----

#[layout]
#[brw(little)]
struct Long {
    count: u16,
    #[br(count = count)]
    items: Vec<Block>,
    after: u8,
}

fn long(count: u16) -> Vec<u8> {
    let mut bytes = count.to_le_bytes().to_vec();
    for number in 0..count {
        bytes.extend(u32::from(number).to_le_bytes());
        bytes.extend(number.to_le_bytes());
    }
    bytes.push(0xAA);
    bytes
}

#[test]
fn long_lists_collapse() {
    for count in [0_u16, 1, 63, 64, 65, 66, 200] {
        let bytes = long(count);
        let (value, nodes) = both::<Long>(&bytes, Endian::Little, ());
        let root = nodes.root();
        assert_eq!(value.unwrap().items.len(), usize::from(count));
        assert_tiled(root, 0..bytes.len() as u64);
        let items = part(root, 1);
        // A single element beyond those shown is not summarised.
        let nodes = if count > 65 { 65 } else { usize::from(count) };
        assert_eq!(items.children().count(), nodes, "{count}");
        if count > 65 {
            let summary = part(items, 64);
            assert_eq!(summary.index(), Some(Index::Range(64, u64::from(count))));
            assert_eq!((summary.start(), summary.end()), (2 + 64 * 6, 2 + u64::from(count) * 6));
            assert_eq!((summary.type_name(), summary.children().count(), summary.is_complete()), ("Block", 0, true));
            let mut path = "items".to_owned();
            summary.step(&mut path);
            assert_eq!(path, format!("items[64..{count}]"));
        }
    }
}

#[test]
fn a_failure_in_the_collapsed_part_has_its_path() {
    #[layout]
    #[brw(little)]
    struct Texts {
        #[br(count = 200)]
        texts: Vec<Name>,
    }
    // Each text has four bytes; the last one ends early.
    for (complete, text) in [(10_usize, 10), (64, 64), (65, 65), (131, 131)] {
        let mut bytes = b"x\0\x01\0".repeat(complete);
        bytes.extend(b"endless".repeat(100));
        let (path, offset, _, problem) = failure::<Texts>(&bytes, ());
        let left = 700;
        let start = 4 * text as u64;
        assert_eq!((path, offset), (format!("texts[{text}].text"), start));
        assert_eq!(problem, needs(left + 1, left));
        let nodes = trace::<Texts>(Source::new(&bytes), Endian::Little, ()).1;
        let root = nodes.root();
        assert_tiled(root, 0..bytes.len() as u64);
        let texts: Vec<_> = part(root, 0).children().collect();
        assert_eq!(texts.len(), text.min(64) + 1 + usize::from(text > 64));
        if text > 64 {
            let read = &texts[64];
            assert_eq!((read.index(), read.end()), (Some(Index::Range(64, text as u64)), start));
        }
    }
}

#[test]
fn lists_of_bytes_are_one_leaf() {
    #[layout]
    struct Raw {
        count: u8,
        #[br(count = count)]
        bytes: Vec<u8>,
        #[br(count = count)]
        signed: Vec<i8>,
    }
    let bytes: Vec<u8> = std::iter::once(100).chain(0..200).collect();
    let (_, nodes) = both::<Raw>(&bytes, Endian::Big, ());
    let root = nodes.root();
    assert_eq!(part(root, 1).value(), Value::Bytes((0..32).collect(), 100));
    assert_eq!((part(root, 1).children().count(), part(root, 2).children().count()), (0, 65));
    assert_tiled(root, 0..201);
}

// ---- Bounds ----

#[layout]
#[brw(little)]
struct Bounded {
    count: u64,
    #[br(count = count)]
    words: Vec<u64>,
}

#[test]
fn a_count_is_bounded_before_anything_is_allocated() {
    let counts = [3, u64::from(u32::MAX), 1 << 61, (1 << 61) + 1, 1 << 63, u64::MAX / 8, u64::MAX];
    for count in counts {
        let bytes = [&count.to_le_bytes()[..], &[7; 16]].concat();
        // Most of these counts would end the process if memory were allocated for them.
        let error = read::<Bounded>(Source::new(&bytes), Endian::Little, ()).unwrap_err();
        assert_eq!((error.path.as_str(), error.offset, error.length), ("words", 8, 16));
        assert_eq!(error.problem, Problem::TooMany { count, element: 8, left: 16 });
    }
    let words = "3 elements of at least 8 bytes each do not fit: 16 bytes are left";
    let bytes = [&3_u64.to_le_bytes()[..], &[7; 16]].concat();
    assert_eq!(read::<Bounded>(Source::new(&bytes), Endian::Little, ()).unwrap_err().problem.to_string(), words);
}

#[test]
fn a_list_is_not_allocated_for_bytes_that_are_not_at_hand() {
    #[layout]
    #[brw(little)]
    struct Bytes {
        count: u64,
        #[br(count = count)]
        bytes: Vec<u8>,
    }
    // The first bytes of a huge file: the list might exist.
    let bytes = [&(1_u64 << 50).to_le_bytes()[..], &[7; 16]].concat();
    let error = read::<Bytes>(Source::prefix(&bytes, 1 << 60), Endian::Little, ()).unwrap_err();
    assert_eq!((error.path.as_str(), error.problem), ("bytes", Problem::Unavailable));
    let source = Source::prefix(&bytes, 1 << 60);
    assert_eq!(read::<Bounded>(source, Endian::Little, ()).unwrap_err().problem, Problem::Unavailable);
}

#[test]
fn lists_of_structures_and_of_bytes_are_bounded_too() {
    #[layout]
    #[brw(little)]
    struct Structures {
        count: u32,
        #[br(count = count)]
        names: Vec<Name>,
    }
    #[layout]
    #[brw(little)]
    struct Bytes {
        count: u64,
        #[br(count = count)]
        bytes: Vec<u8>,
    }
    let bytes = [0xFF; 20];
    let problem = failure::<Structures>(&bytes, ()).3;
    assert_eq!(problem, Problem::TooMany { count: u64::from(u32::MAX), element: 3, left: 16 });
    assert_eq!(failure::<Bytes>(&bytes, ()).3, Problem::TooMany { count: u64::MAX, element: 1, left: 12 });
}

#[test]
fn regions_take_what_is_there_and_load_nothing() {
    #[layout]
    #[brw(little)]
    struct Holder {
        length: u64,
        #[br(args { length })]
        payload: Region,
        rest: Rest,
    }
    let bytes = [&5_u64.to_le_bytes()[..], &[7; 9]].concat();
    let (value, nodes) = both::<Holder>(&bytes, Endian::Little, ());
    let root = nodes.root();
    let value = value.unwrap();
    assert_eq!((value.payload.range(), value.payload.is_truncated(), value.rest.range()), (8..13, false, 13..17));
    assert_tiled(root, 0..17);
    let bytes = [&20_u64.to_le_bytes()[..], &[7; 9]].concat();
    let (value, nodes) = both::<Holder>(&bytes, Endian::Little, ());
    let root = nodes.root();
    let value = value.unwrap();
    assert_eq!((value.payload.range(), value.payload.is_truncated(), value.rest.length), (8..17, true, 0));
    assert_eq!(part(root, 1).meaning(), "9 of 20 bytes");
    // The header of a huge space is read without its payload.
    let bytes = (1_u64 << 40).to_le_bytes();
    let value: Holder = read(Source::prefix(&bytes, (1 << 40) + 10), Endian::Little, ()).unwrap();
    assert_eq!((value.payload.present, value.rest.length), (1 << 40, 2));
}

// ---- Recording ----

#[test]
fn recording_is_off_after_a_panic_and_sessions_nest() {
    fn falls<R: std::io::Read + std::io::Seek>(_: &mut R, _: Endian, (): ()) -> binrw::BinResult<u8> {
        panic!("a parser falls");
    }
    #[layout]
    struct Falling {
        before: u8,
        #[br(parse_with = falls)]
        value: u8,
    }
    fn nests<R: std::io::Read + std::io::Seek>(reader: &mut R, endian: Endian, (): ()) -> binrw::BinResult<u8> {
        let inner = table();
        let (result, nodes) = trace::<Table>(Source::new(&inner), Endian::Little, ());
        let root = nodes.root();
        assert!(result.is_ok());
        assert_tiled(root, 0..inner.len() as u64);
        let fallen = std::panic::catch_unwind(|| trace::<Falling>(Source::new(&[1, 2]), Endian::Little, ()));
        assert!(fallen.is_err());
        u8::read_options(reader, endian, ())
    }
    #[layout]
    struct Nesting {
        before: u8,
        #[br(parse_with = nests)]
        value: u8,
        after: u8,
    }
    let outline_of = || outline(trace::<Nesting>(Source::new(&[1, 2, 3]), Endian::Little, ()).1.root());
    let expected = ["before 0..1 u8 = 1", "value 1..2 u8 = 2", "after 2..3 u8 = 3"];
    assert_eq!(outline_of(), expected);
    let fallen = std::panic::catch_unwind(|| trace::<Falling>(Source::new(&[1, 2]), Endian::Little, ()));
    assert!(fallen.is_err());
    assert_eq!(outline_of(), expected);
    // Reading untraced leaves nothing behind.
    read::<Table>(Source::new(&table()), Endian::Little, ()).unwrap();
    assert_eq!(outline_of(), expected);
}

#[test]
fn each_thread_records_for_itself() {
    let bytes = table();
    let expected = outline(trace::<Table>(Source::new(&bytes), Endian::Little, ()).1.root());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..20 {
                    assert_eq!(outline(trace::<Table>(Source::new(&bytes), Endian::Little, ()).1.root()), expected);
                    read::<Table>(Source::new(&bytes), Endian::Little, ()).unwrap();
                }
            });
        }
    });
}

// ---- Structures that contain themselves ----

/// A list in which each link holds the next; `depth` bounds how deep.
#[layout]
#[br(import(depth: u32), pre_assert(depth < 40, "more than 40 links"))]
struct Link {
    more: u8,
    #[br(if(more != 0), args(depth + 1))]
    next: Option<Box<Link>>,
}

/// A tree.
#[layout]
#[br(import(depth: u32), pre_assert(depth < 40, "deeper than 40"))]
struct Tree {
    count: u8,
    #[br(count = count, args { inner: (depth + 1,) })]
    branches: Vec<Tree>,
}

#[test]
fn structures_that_contain_themselves_may_be_bounded_by_their_author() {
    let bytes = [1, 1, 1, 0];
    let (value, nodes) = both::<Link>(&bytes, Endian::Big, (0,));
    let root = nodes.root();
    let value = value.unwrap();
    assert_eq!(leaves(root).last().unwrap().0, "next.next.next.more");
    assert_eq!(write(&value, Endian::Big).unwrap(), bytes);
    let (path, offset, _, problem) = failure::<Link>(&[1; 2000], (0,));
    assert_eq!((path.matches("next").count(), offset), (40, 40));
    assert_eq!(problem, Problem::Invalid("more than 40 links".into()));
    assert_eq!(failure::<Link>(&[1; 3], (0,)).0, "next.next.next.more");

    let (value, nodes) = both::<Tree>(&[2, 1, 0, 0], Endian::Big, (0,));
    let root = nodes.root();
    assert_eq!(value.unwrap().branches[0].branches.len(), 1);
    assert_tiled(root, 0..4);
    let (path, .., problem) = failure::<Tree>(&[1; 2000], (0,));
    assert_eq!(path.matches("branches[0]").count(), 40);
    assert_eq!(problem, Problem::Invalid("deeper than 40".into()));
    assert_eq!(Book::of::<Tree>().types.len(), 1);
}

// ---- The field reference ----

#[test]
fn the_field_reference_has_a_page_for_every_type() {
    let book = Book::of::<Table>();
    let names: Vec<_> = book.types.iter().map(|page| page.name.as_str()).collect();
    assert_eq!(names, ["Table", "Column", "Block"]);
    assert_eq!(book.types[0].doc, "A table.");
    let TypeKind::Structure(fields) = &book.types[0].kind else { panic!("{book:?}") };
    let summary: Vec<_> = fields
        .iter()
        .map(|it| (&*it.name, it.type_name.as_str(), it.size, it.count.as_ref().map(|it| &*it.text), &*it.doc))
        .collect();
    let expected = [
        ("version", "u16", Some(2), None, "Tells what follows."),
        ("column_count", "u8", Some(1), None, ""),
        ("columns", "[Column]", None, Some("column_count"), "The columns."),
        ("tail", "u8", Some(1), None, ""),
    ];
    assert_eq!(summary, expected);

    let book = Book::of::<Conditional>();
    let TypeKind::Structure(fields) = &book.types[0].kind else { panic!("{book:?}") };
    let optional: Vec<_> =
        fields.iter().filter_map(|it| Some((&*it.name, &*it.condition.as_ref()?.text, it.size))).collect();
    let expected = [
        ("number", "flags & 1 != 0", None),
        ("block", "flags & 2 != 0", None),
        ("level", "flags & 4 != 0", None),
        ("length", "flags & 8 != 0", None),
        ("list", "flags & 8 != 0", None),
    ];
    assert_eq!(optional, expected);

    let book = Book::of::<Choice>();
    let TypeKind::Choice(variants) = &book.types[0].kind else { panic!("{book:?}") };
    let summary: Vec<_> = variants.iter().map(|it| (&*it.name, &*it.doc, it.fields.len())).collect();
    assert_eq!(
        summary[1..3],
        [("Second", "Taken where the first does not fit.", 2), ("Nothing", "Nothing at all.", 0)]
    );
    let names: Vec<_> = book.types.iter().map(|page| page.name.as_str()).collect();
    assert_eq!(names, ["Choice", "Inner", "Numbered"]);

    let book = Book::of::<Code>();
    let TypeKind::Codes(codes) = &book.types[0].kind else { panic!("{book:?}") };
    assert_eq!((codes[1].code, &*codes[1].name, &*codes[1].doc), (0x1234, "two_words", "The last."));

    let book = Book::of::<Some16>();
    let TypeKind::Bits(bits) = &book.types[0].kind else { panic!("{book:?}") };
    assert_eq!((&*bits[2].name, bits[2].first, bits[2].width), ("high", 8, 8));
}

#[test]
fn sizes_are_what_the_fields_add_up_to() {
    let sizes = |min: u64, size: Option<u64>| (min, size);
    assert_eq!(sizes(Block::MIN_SIZE, Block::SIZE), (6, Some(6)));
    assert_eq!(sizes(Table::MIN_SIZE, Table::SIZE), (4, None));
    assert_eq!(sizes(Conditional::MIN_SIZE, Conditional::SIZE), (1, None));
    assert_eq!(sizes(Zeros::<3>::MIN_SIZE, Zeros::<3>::SIZE), (3, Some(3)));
    assert_eq!(sizes(Name::MIN_SIZE, Name::SIZE), (3, None));
    assert_eq!(sizes(Code::MIN_SIZE, Code::SIZE), (2, Some(2)));
    assert_eq!(sizes(Some16::MIN_SIZE, Some16::SIZE), (2, Some(2)));
    assert_eq!(sizes(Link::MIN_SIZE, Link::SIZE), (1, None));
}
