//! Definitions for Kaitai Struct and ImHex, of a format that uses most features.

use everybyte::bits::*;
use everybyte::definition::{Subject, imhex, kaitai};
use everybyte::{
    bytes::{Align, Region},
    codes, layout,
    list::{filling, rest, until},
    number::{I24, U24},
    reference::Book,
    text::{Ascii, Ended, NulString, Padded, Text, Utf16Le},
};

/// A note.
#[layout]
#[brw(big, magic = b"NOTE")]
#[allow(dead_code)]
struct Note {
    /// The parts that are present.
    flags: Flags,
    /// Colour of the paper.
    colour: Colour,
    /// Number of words.
    #[br(temp)]
    #[bw(calc = words.len() as u8)]
    count: u8,
    /// The words.
    #[br(count = count, args { inner: everybyte::hook::binrw::args! { is_long: flags.is_long() } })]
    words: Vec<Word>,
    /// A date.
    #[br(if(flags.is_dated()))]
    date: Option<u32>,
    /// Bytes that only Rust counts.
    #[br(args { length: secret(count) })]
    rest: Region,
}

fn secret(count: u8) -> u64 {
    u64::from(count) * 3
}

/// The content of a note.
#[layout(bits = 8)]
struct Flags {
    /// Words are long.
    is_long: bool,
    /// It has a date.
    is_dated: bool,
    /// Unused.
    reserved: B6,
}

codes! {
    /// A colour.
    struct Colour(u8) {
        /// As snow.
        WHITE = 0 => "white";
        /// As the sun, or "gold".
        YELLOW = 7 => "light yellow";
    }
}

/// A word.
#[layout]
#[brw(big)]
#[br(import { is_long: bool })]
#[allow(dead_code)]
enum Word {
    /// Up to 255 letters.
    #[br(pre_assert(!is_long))]
    Short {
        /// Number of letters.
        length: u8,
        /// The letters.
        #[br(args { length: length.into() })]
        letters: Region,
    },
    /// More.
    #[br(pre_assert(is_long))]
    Long {
        /// Number of letters.
        length: i32,
        /// The letters.
        #[br(args { length: u64::try_from(length).unwrap_or(0) })]
        letters: Region,
    },
}

fn books() -> [Book; 1] {
    [Book::of::<Note>()]
}

#[test]
fn a_definition_for_kaitai_struct_says_what_the_declaration_says() {
    let books = books();
    let text = kaitai(Subject::new("note", "Note", &books));
    let expected = r#"seq:
  - id: magic
    contents: [0x4e, 0x4f, 0x54, 0x45]
    doc: "Fixed: identifies this structure."
  - id: flags
    type: "flags"
    doc: "The parts that are present."
  - id: colour
    type: u1
    enum: colour
    doc: "Colour of the paper."
  - id: count
    type: u1
    doc: "Number of words."
    -role: "counts words"
  - id: words
    type: "word(flags.is_long)"
    repeat: expr
    repeat-expr: "count"
    doc: "The words."
  - id: date
    type: u4
    if: "flags.is_dated"
    doc: "A date."
  # NOT EXACT: its length is `secret(count)`; here it extends to the end
  - id: rest
    size-eos: true
    doc: "Bytes that only Rust counts."
types:
  flags:
    meta:
      bit-endian: le
    doc: "The content of a note."
    seq:
      - id: is_long
        type: b1
        doc: "Words are long."
"#;
    assert!(text.contains(expected), "{text}");
    let expected = r#"  word:
    meta:
      endian: be
    doc: "A word."
    params:
      - id: is_long
        type: bool
    seq:
      - id: word_short
        type: "word_short(is_long)"
        if: "(not is_long)"
        doc: "Up to 255 letters."
"#;
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("            size: \"(length < 0 ? 0 : length)\"\n"), "{text}");
    assert!(text.contains("    7:\n      id: light_yellow\n      doc: \"As the sun, or \\\"gold\\\".\"\n"), "{text}");
}

#[test]
fn a_definition_for_imhex_says_what_the_declaration_says() {
    let books = books();
    let text = imhex(Subject::new("note", "Note", &books));
    assert!(!text.contains("ndbytes"), "{text}");
    let expected = r#"// A note.
struct Note {
    // Fixed: identifies this structure.
    u8 magic[4];
    // The parts that are present.
    Flags flags;
    // Colour of the paper.
    Colour colour;
    // Number of words. (counts words)
    u8 count;
    // The words.
    Word<flags.is_long> words[count];
    // A date.
    if (flags.is_dated) be u32 date;
    // NOT EXACT: its length is `secret(count)`; here it extends to the end
    // Bytes that only Rust counts.
    u8 rest[std::mem::size() - $];
};

Note note @ 0x00;
"#;
    assert!(text.ends_with(expected), "{text}");
    let expected = r#"struct Word<auto is_long> {
    if ((! is_long)) WordShort<is_long> short;
"#;
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("enum Colour : u8 {\n    // As snow.\n    white = 0x0,\n"), "{text}");
}

#[test]
fn a_subject_without_types_has_an_empty_definition() {
    let subject = Subject::new("none", "None", &[]);
    assert_eq!((kaitai(subject), imhex(subject)), (String::new(), String::new()));
}

/// A file whose parts have sizes, ends and kinds.
#[layout]
#[brw(big, magic = b"PART")]
#[allow(dead_code)]
struct Parts {
    length: U24,
    padding: Align<4>,
    kind: Empty,
    #[br(parse_with = filling(u64::from(length.value() - 4)))]
    points: Vec<Point>,
    #[br(parse_with = until(|part: &Part| &part.kind == b"end!"))]
    parts: Vec<Part>,
    #[br(parse_with = filling(u64::MAX))]
    others: Vec<Point>,
}

#[layout]
struct Point {
    x: u8,
    #[layout(from = x)]
    padding: Align<4>,
}

#[layout]
#[allow(dead_code)]
struct Part {
    kind: [u8; 4],
    length: u8,
    #[br(args(3, kind))]
    #[layout(size = length)]
    body: Body,
}

#[layout(match = kind)]
#[br(import(version: u8, kind: [u8; 4]))]
#[allow(dead_code)]
enum Body {
    #[when(b"name")]
    Name {
        #[br(parse_with = rest)]
        name: Text,
    },
    #[when(_)]
    Other { sizes: [u16; 3], version: u8 },
}

codes! {
    /// A code.
    struct Empty(i8) {
        /// Nothing.
        NULL = -1 => "null";
    }
}

#[test]
fn a_definition_for_kaitai_struct_has_sizes_ends_and_choices() {
    let books = [Book::of::<Parts>()];
    let text = kaitai(Subject { license: Some("CC0-1.0"), ..Subject::new("parts", "Parts", &books) });
    let expected = r#"  license: "CC0-1.0"
  endian: be
  bit-endian: le
doc: "A file whose parts have sizes, ends and kinds."
seq:
  - id: magic
    contents: [0x50, 0x41, 0x52, 0x54]
    doc: "Fixed: identifies this structure."
  - id: length
    type: b24be
  - id: padding
    size: (-_io.pos) % 4
  - id: kind
    type: s1
    enum: empty
  - id: points
    type: points_of_point
    size: "(length - 4)"
  - id: parts
    type: "part"
    repeat: until
    repeat-until: "(_.kind == [0x65, 0x6e, 0x64, 0x21])"
  - id: others
    type: "point"
    repeat: eos
"#;
    assert!(text.contains(expected), "{text}");
    let expected = r#"      - id: body
        type: "body(3, kind)"
        size: "length"
"#;
    assert!(text.contains(expected), "{text}");
    let expected = r#"        if: "(kind == [0x6e, 0x61, 0x6d, 0x65])"
"#;
    assert!(text.contains(expected), "{text}");
    let expected =
        "          - id: name\n            type: str\n            encoding: UTF-8\n            size-eos: true\n";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("type: u2\n            repeat: expr\n            repeat-expr: 3\n"), "{text}");
    assert!(text.contains("    -1:\n      id: \"null\"\n"), "{text}");
    assert!(text.contains("# NOT EXACT: its multiples are counted from `x`\n"), "{text}");
    assert!(!text.contains("doc: \"\"") && !text.contains("expression of"), "{text}");
}

#[test]
fn a_definition_begins_with_the_number_of_places_that_are_not_exact() {
    let part = [Book::of::<Part>()];
    let (ksy, hexpat) = (kaitai(Subject::new("part", "Part", &part)), imhex(Subject::new("part", "Part", &part)));
    assert!(ksy.starts_with("# Generated") && !ksy.contains("NOT EXACT"), "{ksy}");
    let places = hexpat.lines().filter(|line| line.trim_start().starts_with("// NOT EXACT: ")).count();
    let expected = format!("// Not whole: {places} places, each marked below with NOT EXACT.\n// Made from");
    assert!(places > 1 && hexpat.starts_with(&expected), "{hexpat}");
    let books = books();
    let (ksy, hexpat) = (kaitai(Subject::new("note", "Note", &books)), imhex(Subject::new("note", "Note", &books)));
    assert!(ksy.starts_with("# Not whole: 1 place, marked below with NOT EXACT.\n# Generated"), "{ksy}");
    assert!(hexpat.starts_with("// Not whole: 1 place, marked below with NOT EXACT.\n// Made from"), "{hexpat}");
}

/// Values that are more than their bytes, and lists of them.
#[layout]
#[brw(little, magic = 0x2a0du16)]
#[allow(dead_code)]
struct Kinds {
    line: Text<Ascii, Ended<10>>,
    #[br(count = 2)]
    lines: Vec<Text<Ascii, Ended<10>>>,
    #[br(count = 3)]
    keys: Vec<[u8; 4]>,
    #[br(count = 2)]
    tagged: Vec<Tagged>,
    wide: Text<Utf16Le, Padded<6, 0>>,
    signed: I24,
    choice: Choice,
}

/// A text after two bytes.
#[layout]
#[brw(magic = b"AB")]
#[allow(dead_code)]
struct Tagged(NulString);

/// Alternatives of which the first one is tried first.
#[layout]
#[allow(dead_code)]
enum Choice {
    #[br(pre_assert(true))]
    Pair { first: u8, second: u8 },
    #[br(pre_assert(true))]
    One { only: u8 },
}

#[test]
fn values_that_are_more_than_their_bytes_are_defined_or_marked() {
    let books = [Book::of::<Kinds>()];
    let (ksy, hexpat) = (kaitai(Subject::new("kinds", "Kinds", &books)), imhex(Subject::new("kinds", "Kinds", &books)));
    let tried = "NOT EXACT: it is also read if an alternative before it cannot be read";
    for part in [
        "  - id: magic\n    type: u2\n    valid: 0x2a0d\n",
        "  - id: line\n    type: str\n    encoding: ASCII\n    terminator: 0x0a\n",
        "    repeat-expr: \"3\"\n  # NOT EXACT: its elements are shown as bytes\n",
        "  # NOT EXACT: `tagged_length` is a parameter in place of the bytes of its elements\n  - id: tagged\n",
        "    type: str\n    encoding: UTF-16LE\n    size: 6\n    pad-right: 0x00\n",
        "# NOT EXACT: an integer of 3 bytes is shown as bytes\n",
        "if: \"(true and (not true))\"",
        tried,
    ] {
        assert!(ksy.contains(part), "{part}\nis not in\n{ksy}");
    }
    for part in [
        "struct Ended0A {\n    char text[while(std::mem::read_unsigned($, 1) != 0x0a)];\n    u8 end;\n};\n",
        "    Ended0A line;\n    Ended0A lines[2];\n    Items keys[3];\n",
        "struct Items {\n    u8 items[4];\n};\n",
        "    // NOT EXACT: it is a text in UTF-16LE; here it is shown as bytes\n    u8 wide[6];\n    le s24 signed;\n",
        tried,
    ] {
        assert!(hexpat.contains(part), "{part}\nis not in\n{hexpat}");
    }
}
