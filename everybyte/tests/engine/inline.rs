//! Fields with different names in maps, fields without their own nodes, and texts that end before their bytes do.

use everybyte::bits::{B5, B6};
use everybyte::{
    Endian, Format, Source, check, explain, fuzzing, layout,
    list::{filling, rest},
    read,
    text::{Ascii, Closed, ClosedIn, Ended, Filled, Latin1, Text, Utf8, Utf16Be, Utf16Le},
    write,
};

/// Returns the leaves of a file's map: path and value, one per line.
fn leaves<F: Format>(file: &[u8]) -> String {
    let explained = explain::<F>(file);
    let spans = everybyte::map::spans(&explained.spaces);
    spans.iter().map(|span| format!("{}: {}\n", span.path, span.node.value())).collect()
}

/// Shapes, each of a kind.
#[layout]
#[brw(little)]
struct Shapes {
    #[layout(name = "type")]
    #[layout(rule("shapes/type", error, type_ < 9, "{type_} is no type"))]
    type_: u8,
    #[layout(name = "low-high")]
    bits: Low,
    #[layout(name = "count")]
    number: u8,
    #[br(count = number, args { inner: (type_,) })]
    #[layout(name = "the-shapes")]
    shapes: Vec<Shape>,
    note: Note,
    #[br(args(3))]
    last: Sized,
}

#[layout(bits = 16)]
struct Low {
    low: B5,
    middle: B6,
    high: B5,
}

#[layout(match = kind)]
#[br(import(kind: u8))]
enum Shape {
    #[when(1)]
    Point {
        #[layout(inline)]
        value: Point,
    },
    #[when(2)]
    Number {
        #[layout(inline)]
        value: u16,
    },
    #[when(3)]
    Name {
        #[layout(inline)]
        value: Text<Ascii, Ended<0>>,
    },
    #[when(_)]
    Bits {
        #[layout(inline)]
        value: Low,
    },
}

#[layout]
struct Point {
    x: u8,
    y: u8,
}

#[layout]
struct Note {
    #[br(count = 1)]
    #[layout(inline)]
    text: Text<Ascii>,
}

/// A structure in as many bytes as an argument says.
#[layout]
#[br(import(size: u64))]
struct Sized {
    #[layout(inline, size = size)]
    inner: Rest,
}

#[layout]
struct Rest {
    first: u8,
    #[br(parse_with = rest)]
    others: Vec<u8>,
}

impl Format for Shapes {
    const NAME: &'static str = "shapes";
}

#[test]
fn inline_fields_have_the_nodes_of_what_is_around_them() {
    let points = [1, 0x21, 0x08, 2, 3, 4, 5, 6, b'n', b'r', b's', b't'];
    let around = "type: 1\nlow-high: 0x821\ncount: 2\n";
    let wanted = "the-shapes[0].x: 3\nthe-shapes[0].y: 4\nthe-shapes[1].x: 5\nthe-shapes[1].y: 6\n";
    let last = "note: \"n\"\nlast.first: 114\nlast.others: \"st\"\n";
    assert_eq!(leaves::<Shapes>(&points), format!("{around}{wanted}{last}"));
}

#[test]
fn alternatives_have_the_value_of_their_inline_field() {
    let numbers = [2, 0, 0, 1, 1, 2, b'n', b'r', b's', b't'];
    assert!(leaves::<Shapes>(&numbers).contains("the-shapes[0]: 513\n"));
    let names = [3, 0, 0, 1, b'a', b'b', 0, b'n', b'r', b's', b't'];
    assert!(leaves::<Shapes>(&names).contains("the-shapes[0]: \"ab\"\n"));
    let bits = [4, 0, 0, 1, 0x21, 0x08, b'n', b'r', b's', b't'];
    let explained = explain::<Shapes>(&bits);
    let shapes = explained.spaces[0].nodes.iter().nth(3).unwrap();
    assert_eq!(shapes.children().next().unwrap().bits().len(), 3);
}

#[test]
fn inline_fields_are_judged_once_at_the_field_around() {
    let names = [3, 0, 0, 1, 0xFF, b'b', 0, b'n', b'r', b's', b't'];
    let found: Vec<String> = check::<Shapes>(&names).iter().map(ToString::to_string).collect();
    assert_eq!(found, ["encoding: the-shapes[0], at byte 4: its bytes are not ASCII"]);
}

#[test]
fn findings_and_roles_have_the_names_of_maps() {
    let found = check::<Shapes>(&[9, 0, 0, 0, b'n', b'r', b's', b't']);
    assert_eq!(found[0].to_string(), "shapes/type: type, at byte 0: 9 is no type");
    let explained = explain::<Shapes>(&[1, 0, 0, 0, b'n', b'r', b's', b't']);
    let number = explained.spaces[0].nodes.iter().nth(2).unwrap();
    assert_eq!((number.name(), format!("{:?}", number.role()).contains("the-shapes")), ("count", true));
}

#[test]
fn inline_fields_are_written_as_they_are_read() {
    let file = [1, 0x21, 0x08, 1, 3, 4, b'n', b'r', b's', b't'];
    let shapes: Shapes = read(Source::new(&file), Endian::Little, ()).unwrap();
    assert_eq!(write(&shapes, Endian::Little).unwrap(), file);
    fuzzing::any_values::<Shapes>(200);
}

/// Texts that end before their bytes do.
#[layout]
struct Texts {
    ended: Text<Utf8, Ended<0>>,
    line: Text<Latin1, Ended<b'\n'>>,
    #[br(count = 4)]
    closed: Text<Ascii, Closed<0>>,
    #[br(count = 4)]
    filled: Text<Ascii, Filled<b' '>>,
    fixed: Text<Ascii, ClosedIn<4, 0>>,
    #[br(count = 2)]
    little: Text<Utf16Le>,
    #[br(count = 2)]
    big: Text<Utf16Be>,
    #[br(parse_with = filling(u64::MAX))]
    others: Vec<Text<Ascii, Ended<0>>>,
}

impl Format for Texts {
    const NAME: &'static str = "texts";
}

const TEXTS: &[u8] = b"a\xc3\xa9\0na\xefve\nb\0??c d ef\0\0g\0\0hone\0two\0";

#[test]
fn texts_end_before_a_byte_and_before_padding() {
    let texts: Texts = read(Source::new(TEXTS), Endian::Little, ()).unwrap();
    assert_eq!(texts.ended.text().unwrap(), "aé");
    assert_eq!(texts.line.text().unwrap(), "naïve");
    assert_eq!(texts.closed.text().unwrap(), "b");
    assert_eq!(texts.filled.text().unwrap(), "c d");
    assert_eq!(texts.fixed.text().unwrap(), "ef");
    assert_eq!((texts.little.text().unwrap(), texts.big.text().unwrap()), ("g".into(), "h".into()));
    let others: Vec<_> = texts.others.iter().map(|text| text.text().unwrap().into_owned()).collect();
    assert_eq!(others, ["one", "two"]);
    assert_eq!(write(&texts, Endian::Little).unwrap(), TEXTS);
    assert_eq!(check::<Texts>(TEXTS), []);
}

#[test]
fn texts_are_made_with_the_byte_that_ends_them() {
    assert_eq!(Text::<Ascii, Ended<0>>::new("ab").unwrap().bytes(), b"ab\0");
    assert_eq!(Text::<Ascii, ClosedIn<4, 0>>::new("ab").unwrap().bytes(), b"ab\0\0");
    assert_eq!(Text::<Utf16Be>::new("é").unwrap().bytes(), b"\0\xe9");
    let refused = Text::<Ascii, Ended<b'b'>>::new("ab").unwrap_err();
    assert_eq!(refused.to_string(), "\"ab\" has the byte 0x62, which ends it");
}

#[test]
fn a_text_without_the_byte_that_ends_it_cannot_be_read() {
    assert_eq!(
        check::<Texts>(b"ab")[0].to_string(),
        "truncated: ended, at byte 0: 3 bytes are needed here, but only 2 bytes are left"
    );
}

#[test]
fn half_of_a_pair_is_no_utf_16() {
    let mut file = TEXTS.to_vec();
    file[22..24].copy_from_slice(b"\x00\xd8");
    let found: Vec<String> = check::<Texts>(&file).iter().map(ToString::to_string).collect();
    assert_eq!(found, ["encoding: little, at byte 22: its bytes are not UTF-16LE"]);
}
