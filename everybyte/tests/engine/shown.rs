//! Values that bytes represent, and how values, texts and paths are shown.

use everybyte::bits::*;
use everybyte::definition::{Subject, imhex, kaitai};
use everybyte::diff::{Options, Side, structure};
use everybyte::{
    Format, check,
    examination::Examination,
    explain, layout,
    list::filling,
    map::{Index, Value},
    reference::{Book, Form, TypeKind},
};

/// Numbers whose bytes mean others.
#[layout]
struct Numbers {
    /// Counted in units of four.
    #[layout(value = u32::from(words) * 4)]
    words: u8,
    #[layout(show = hex)]
    address: u16,
    tag: u8,
    /// The number in the tag.
    #[br(calc = i16::from(tag) - 0x80)]
    #[bw(ignore)]
    #[layout(value)]
    number: i16,
}

impl Format for Numbers {
    const NAME: &'static str = "numbers";
}

#[test]
fn a_value_that_bytes_mean_is_shown_in_their_place() {
    let explained = explain::<Numbers>(&[3, 0xFF, 0x10, 0x82]);
    let nodes: Vec<_> = explained.spaces[0].nodes.iter().collect();
    let values: Vec<Value> = nodes.iter().map(|node| node.value()).collect();
    assert_eq!(values, [Value::Uint(12), Value::Uint(0x10FF), Value::Uint(0x82), Value::Int(2)]);
    assert!(nodes[3].is_computed() && nodes[3].place() == (4..4));
    let text = explained.to_string();
    assert!(text.contains("words    12") && text.contains("0x10ff") && text.contains("number   2"), "{text}");
    assert_eq!(check::<Numbers>(&[3, 0xFF, 0x10, 0x82]), []);
    everybyte::fuzzing::values::<Numbers>(50);
}

/// Chunks with names of four letters.
#[layout]
struct Chunks {
    #[br(parse_with = filling(u64::MAX))]
    chunks: Vec<Chunk>,
}

#[layout]
struct Chunk {
    #[layout(key)]
    kind: [u8; 4],
    value: u8,
}

impl Format for Chunks {
    const NAME: &'static str = "chunks";
}

#[test]
fn bytes_that_are_a_text_are_shown_as_one_and_are_a_key() {
    let maps =
        [b"fmt \x01data\x02".to_vec(), b"fmt \x01note\x07data\x02".to_vec()].map(|file| explain::<Chunks>(&file));
    assert!(maps[0].to_string().contains("\"fmt \""), "{}", maps[0]);
    let read = |_: u32, _: u64, _: &mut [u8]| false;
    let sides = maps.each_ref().map(|map| Side { spaces: &map.spaces, read: &read });
    let found = structure(&sides[0], &sides[1], &Options::default());
    let lines: Vec<String> = found.lines(false).collect();
    assert_eq!(lines[0], "chunks[\"note\"]: added, 5 bytes   (at 0x5)");
}

/// A page in a book.
#[layout]
struct Leaf {
    number: u8,
}

/// The offsets of leaves.
#[layout]
struct Tree {
    offsets: [u8; 2],
}

impl Format for Tree {
    const NAME: &'static str = "tree";

    fn examine(&self, file: &mut Examination<'_>) {
        let name = String::from_utf8_lossy(&file.bytes()[2..5]).into_owned();
        let mut branch = file.group(name);
        branch.region("name", 2_u64, 3_u64);
        let mut leaves = branch.group(("side", 1));
        assert_eq!(leaves.path(), "oak.side[1]");
        for (place, offset) in self.offsets.into_iter().enumerate() {
            leaves.at::<Leaf>(("leaf", place as u64), offset, ());
        }
    }
}

#[test]
fn parts_stand_in_groups_whose_names_the_file_may_state() {
    let explained = explain::<Tree>(b"\x06\x05oak\x08\x09");
    assert_eq!(explained.findings, []);
    let text = explained.to_string();
    assert!(text.contains("oak.name") && text.contains("oak.side[1].leaf[1].number"), "{text}");
    assert_eq!(check::<Tree>(b"\x06\x05oak\x08\x09"), []);
    let found = check::<Tree>(b"\x05\x09oak\x08");
    assert_eq!(found[0].path, "oak.side[1].leaf[1]");
    let indices: Vec<_> = explained.spaces[0].nodes.all().filter_map(|node| node.index()).collect();
    assert!(indices.contains(&Index::One(1)));
}

/// A structure in a structure.
#[layout]
struct Nested {
    has_inner: u8,
    #[br(if(has_inner == 1))]
    a_structure_with_a_long_name: Option<Box<Nested>>,
}

impl Format for Nested {
    const NAME: &'static str = "nested";
}

#[test]
fn long_paths_keep_their_end() {
    let text = explain::<Nested>(&[1, 1, 1, 0]).to_string();
    let last = text.lines().find(|line| line.starts_with("00000003")).unwrap();
    assert!(last.contains("a_structure_…"), "{last}");
    assert!(last.contains("with_a_long_name.has_inner "), "{last}");
}

/// A packed date in three bytes, from the top.
#[layout(bits = 24, msb)]
struct Date {
    year: B12,
    month: B4,
    day: B5,
    is_exact: bool,
    rest: B2,
}

/// The same, but with the lowest bits first.
#[layout(bits = 48)]
struct Low {
    low: B40,
    high: B8,
}

#[layout]
#[brw(big)]
struct Dates {
    date: Date,
    low: Low,
}

impl Format for Dates {
    const NAME: &'static str = "dates";

    const BYTE_ORDER: everybyte::view::ByteOrder = everybyte::view::ByteOrder::Big;
}

#[test]
fn bits_may_be_counted_from_the_top_and_take_three_bytes() {
    let file = [0x7E, 0x8B, 0xDC, 0xAB, 0, 0, 0, 0, 1];
    let dates: Dates = everybyte::read(everybyte::Source::new(&file), everybyte::Endian::Big, ()).unwrap();
    let Dates { date, low } = &dates;
    assert_eq!((date.year(), date.month(), date.day(), date.is_exact(), date.rest()), (2024, 11, 27, true, 0));
    assert_eq!((low.low(), low.high()), (1, 0xAB));
    assert_eq!(everybyte::write(&dates, everybyte::Endian::Big).unwrap(), file);
    let explained = explain::<Dates>(&file);
    assert_eq!(explained.findings, []);
    assert!(explained.to_string().contains("bits 12..=23         .year"), "{explained}");
    everybyte::fuzzing::values::<Dates>(50);
}

/// A value that follows from a function, and one that others follow from.
#[layout]
struct Derived {
    count: u8,
    #[layout(value = whole(scale))]
    scale: u8,
    #[br(calc = u16::from(count) * 2)]
    #[bw(ignore)]
    #[layout(value, show = hex)]
    words: u16,
    #[br(count = words)]
    bytes: Vec<u8>,
    #[br(calc = whole(count))]
    #[bw(ignore)]
    #[layout(value)]
    half: u8,
}

fn whole(number: u8) -> u8 {
    number / 2
}

#[test]
fn definitions_have_values_that_bytes_mean_and_those_that_are_calculated() {
    let books = [Book::of::<Numbers>()];
    let ksy = kaitai(Subject::new("numbers", "Numbers", &books));
    for words in [
        "-webide-representation: \"address: {address:hex}\"\nseq:\n",
        "  words_value:\n    value: \"(words * 4)\"\n    doc: \"The value of the bytes.\"\n",
        "  number:\n    value: \"(tag - 128)\"\n    doc: \"The number in the tag.\"\n",
    ] {
        assert!(ksy.contains(words), "{words}\n{ksy}");
    }
    assert!(!ksy.contains("NOT EXACT") && !ksy.contains("- id: number\n"), "{ksy}");
    let hexpat = imhex(Subject::new("numbers", "Numbers", &books));
    for words in [
        "import std.io;\n",
        "fn in_hex(auto number) {\n    return std::format(\"{:#x}\", number);\n};\n",
        "    u16 address [[format(\"in_hex\")]];\n",
        "    s128 words_value = (words * 4) [[export]];\n",
        "    s128 number = (tag - 128) [[export]];\n",
    ] {
        assert!(hexpat.contains(words), "{words}\n{hexpat}");
    }
}

#[test]
fn definitions_use_calculated_values_and_name_those_that_a_function_makes() {
    let books = [Book::of::<Derived>()];
    let ksy = kaitai(Subject::new("derived", "Derived", &books));
    assert!(ksy.contains("  - id: bytes\n    size: \"words\"\n"), "{ksy}");
    assert!(ksy.contains("  # NOT EXACT: the value of `scale` is `whole(scale)`\n  - id: scale\n"), "{ksy}");
    assert!(ksy.contains("  # NOT EXACT: the value of `half` is `whole(count)`\n") && !ksy.contains("half:"), "{ksy}");
    let hexpat = imhex(Subject::new("derived", "Derived", &books));
    assert!(hexpat.contains("s128 words = (count * 2) [[export, format(\"in_hex\")]];\n"), "{hexpat}");
    assert!(hexpat.contains("u8 bytes[words];") && !hexpat.contains(" half;"), "{hexpat}");
    assert!(hexpat.contains("// NOT EXACT: the value of `half` is `whole(count)`\n"), "{hexpat}");
    let TypeKind::Structure(fields) = &books[0].page("Derived").unwrap().kind else { panic!("it has no fields") };
    assert_eq!((&fields[2].form, fields[2].size), (&Form::Calculated, Some(0)));
    assert_eq!(fields[2].purpose(), "(= u16::from(count) * 2)");
}
