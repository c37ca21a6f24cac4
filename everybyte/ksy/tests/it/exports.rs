//! Definitions that everybyte writes are read back: their map equals the map of the compiled layout.

#[path = "../../../examples/png.rs"]
#[allow(dead_code, reason = "an example has a main of its own")]
mod png;
#[path = "../../../examples/wav.rs"]
#[allow(dead_code, reason = "an example has a main of its own")]
mod wav;

use everybyte::map::{Space, spans};
use everybyte::packing::{Packing, Zlib};
use everybyte::text::{Ascii, Closed, ClosedIn, Ended, Filled, Latin1, Padded, Text, Utf8, Utf16Le};
use everybyte::tool::{Declared, Described, Language};
use everybyte::{Format, layout, list::rest, map::Value, number::U24};
use everybyte_ksy::Spec;

/// Returns the specification that everybyte writes for a format.
fn exported<F: Format>() -> Spec {
    let text = Declared::<F>::new().definition(Language::Kaitai).unwrap();
    text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Returns the bytes of the leaves that have a field, and the integers and strings in them.
fn leaves(spaces: &[Space]) -> Vec<(u64, u64, Option<String>)> {
    let shown = |value: &Value| match value {
        Value::Uint(number) => Some(number.to_string()),
        Value::Int(number) => Some(number.to_string()),
        Value::Text(text) => Some(text.to_string()),
        _ => None,
    };
    let leaves = spans(spaces).into_iter().filter(|span| span.node.end() > span.node.start());
    leaves.map(|span| (span.node.start(), span.node.end(), shown(&span.node.value()))).collect()
}

/// Compares both maps of a file; returns the number of leaves.
fn compare<F: Format>(file: &[u8]) -> usize {
    let (spec, compiled) = (exported::<F>(), everybyte::explain::<F>(file));
    let explained = spec.explain(file);
    assert_eq!(explained.findings, []);
    // Content in pieces is only unpacked by one of the two.
    let shared = explained.spaces.len().min(compiled.spaces.len());
    let both = [&explained.spaces, &compiled.spaces].map(|spaces| leaves(&spaces[..shared]));
    let mut compared = both[0].len();
    assert_eq!(both[0].len(), both[1].len());
    for (ours, theirs) in both[0].iter().zip(&both[1]) {
        assert_eq!((ours.0, ours.1), (theirs.0, theirs.1));
        // In one of the two maps, a list of numbers is one leaf without a value.
        match (&ours.2, &theirs.2) {
            (Some(ours), Some(theirs)) => assert_eq!(ours, theirs),
            _ => compared -= 1,
        }
    }
    compared
}

#[test]
fn a_sound_has_the_map_of_its_layout() {
    let mut file = b"RIFF\x36\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0".to_vec();
    file.extend(b"data\x08\0\0\0\0\0\x10\0\x20\0\x10\0note\x01\0\0\0a\0");
    assert!(compare::<wav::Wav>(&file) >= 10);
}

#[test]
fn a_picture_has_the_map_of_its_layout() {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, body) in
        [(b"IHDR", &b"\0\0\0\x01\0\0\0\x01\x08\0\0\0\0"[..]), (b"IDAT", b"x\x9cc`\0\0\0\x02\0\x01"), (b"IEND", b"")]
    {
        file.extend((body.len() as u32).to_be_bytes());
        let named = [kind, body].concat();
        file.extend(&named);
        file.extend(everybyte::sums::crc32(&named).to_be_bytes());
    }
    assert!(compare::<png::Png>(&file) >= 12);
}

/// Values that are more than their bytes.
#[layout]
#[brw(big, magic = 0x4b53_5921u32)]
#[allow(dead_code)]
struct Kinds {
    line: Text<Latin1, Ended<b'\n'>>,
    name: Text<Utf8, Ended<0>>,
    padded: Text<Ascii, Padded<4, b' '>>,
    closed_in: Text<Utf8, ClosedIn<4, 0>>,
    length: u8,
    #[br(count = length)]
    closed: Text<Ascii, Closed<b'!'>>,
    #[br(count = 4)]
    filled: Text<Utf16Le, Filled<b'.'>>,
    #[br(count = 2)]
    words: Vec<Text<Ascii, Ended<b';'>>>,
    #[br(count = 4)]
    arrays: Vec<[u16; 1]>,
    #[brw(little)]
    wide: U24,
    colour: Colour,
    part: Part,
    packed_length: u8,
    #[br(count = packed_length)]
    #[layout(opens(Zlib as Content))]
    packed: Vec<u8>,
    #[br(parse_with = rest)]
    rest: Text,
}

/// A code: a file with another one cannot be read.
#[layout]
#[brw(repr = u8)]
enum Colour {
    White = 0,
    Yellow = 7,
}

/// A magic of its own byte order.
#[layout]
#[brw(little, magic = 0x0102u16)]
#[allow(dead_code)]
struct Part {
    number: u16,
}

/// Content whose offsets count from its own beginning.
#[layout]
#[allow(dead_code)]
struct Content {
    offset: u8,
    #[layout(at = offset)]
    item: Item,
}

#[layout]
#[allow(dead_code)]
struct Item {
    number: u8,
}

impl Format for Kinds {
    const NAME: &'static str = "kinds";
}

#[test]
fn values_that_are_more_than_their_bytes_are_those_of_the_layout() {
    let text = Declared::<Kinds>::new().definition(Language::Kaitai).unwrap();
    assert!(text.starts_with("# Generated"), "{text}");
    let mut file =
        b"KSY!Z\xfcrich\nZ\xc3\xbcrich\0CH  CH\0?\x05me!?!A\0..ab;c;\0\x01\0\x02\0\x03\0\x04\x01\0\0\x07".to_vec();
    file.extend(b"\x02\x01\x05\0");
    let packed = Zlib::pack(b"\x01*");
    file.push(packed.len() as u8);
    file.extend([&packed[..], b"rest"].concat());
    assert_eq!(everybyte::check::<Kinds>(&file), []);
    assert!(compare::<Kinds>(&file) >= 15);
    let texts = leaves(&exported::<Kinds>().explain(&file).spaces).into_iter().filter_map(|(.., value)| value);
    let texts: Vec<String> = texts.filter(|text| text.parse::<u64>().is_err()).collect();
    assert_eq!(texts, ["Zürich", "Zürich", "CH", "CH", "me", "A", "ab", "c", "rest"]);
    let place = file.windows(4).position(|bytes| bytes == [1, 0, 0, 7]).unwrap();
    file[place + 3] = 8;
    assert_eq!(exported::<Kinds>().explain(&file).findings.len(), 1);
}
