//! Numbers in texts: how they are read and written, and how sizes, roles, rules and the forge use them.

use everybyte::definition::{Subject, imhex, kaitai};
use everybyte::forge::{Of, replay};
use everybyte::{
    Endian, Finding, Format, Layout, Source, check, explain,
    format::rewrite,
    fuzzing, layout, links,
    list::each,
    map::Value,
    number::{Decimal, Hex, Left, Octal, Right},
    read,
    reference::{Book, Form},
    write,
};

/// A file of an archive: its numbers are texts.
#[layout]
#[brw(magic = b"ENTRY")]
struct Entry {
    #[br(temp)]
    #[layout(extent = content)]
    length: Decimal<6>,
    owner: Decimal<4, Left>,
    #[layout(fact, rule("entry/mode", error, mode.value() == 0o644, "other modes are not allowed"))]
    mode: Octal<8>,
    device: Hex<4>,
    #[br(count = length)]
    content: Vec<u8>,
    #[br(temp)]
    count: Decimal<2>,
    #[br(count = count.value())]
    notes: Vec<Note>,
    #[br(parse_with = each(1..=count.value(), |number| (number,)))]
    marks: Vec<Mark>,
}

#[layout]
struct Note {
    size: Decimal<3>,
    #[br(count = size.value() * 2)]
    words: Vec<u8>,
}

/// A byte that says its place.
#[layout]
#[br(import(number: i64))]
struct Mark {
    #[layout(rule("entry/mark", error, place.value() == number, "this is mark {number}"))]
    place: Decimal<2, Left>,
}

impl Format for Entry {
    const NAME: &'static str = "entry";
}

const FILE: &[u8] = b"ENTRY     27   0000644\x0000FFhi 2  1ab  01 2 ";

/// Returns the rules and the fields of findings.
fn rules(findings: &[Finding]) -> Vec<(&str, &str)> {
    findings.iter().map(|finding| (finding.rule.as_str(), finding.path.as_str())).collect()
}

fn replaced(at: usize, bytes: &[u8]) -> Vec<u8> {
    [&FILE[..at], bytes, &FILE[at + bytes.len()..]].concat()
}

#[test]
fn numbers_in_texts_are_read_and_say_how_long_other_fields_are() {
    assert_eq!(check::<Entry>(FILE), []);
    let entry: Entry = read(Source::new(FILE), Endian::Big, ()).unwrap();
    assert_eq!((entry.owner.value(), entry.mode.value(), entry.device.value()), (7, 0o644, 255));
    assert_eq!((&*entry.content, entry.notes.len(), &*entry.notes[0].words), (&b"hi"[..], 2, &b"ab"[..]));
    assert_eq!((entry.marks[1].place.value(), entry.marks[1].place.text()), (2, b"2 "));
    assert_eq!(write(&entry, Endian::Big).unwrap(), FILE);
    let map = explain::<Entry>(FILE).to_string();
    assert!(map.contains("length          2") && map.ends_with("every byte accounted for\n"), "{map}");
}

#[test]
fn a_value_is_written_with_the_length_and_the_count_as_texts() {
    let mark = |number| Mark { place: Decimal::new(number).unwrap() };
    let entry = Entry {
        owner: Decimal::new(-1).unwrap(),
        mode: Octal::new(0o644).unwrap(),
        device: Hex::new(0xBEEF).unwrap(),
        content: b"twelve bytes".to_vec(),
        notes: vec![Note { size: Decimal::default(), words: Vec::new() }],
        marks: vec![mark(1)],
    };
    let file = write(&entry, Endian::Big).unwrap();
    assert_eq!(file, b"ENTRY    12-1  0000644\0BEEFtwelve bytes 1  01 ");
    assert_eq!(check::<Entry>(&file), []);
    let long = Entry { content: vec![0; 1_000_000], ..entry };
    let error = write(&long, Endian::Big).unwrap_err();
    assert!(error.to_string().contains("1000000 does not fit into `length`"), "{error}");
}

#[test]
fn a_text_that_states_no_number_cannot_be_read() {
    for text in [b"      ", b"   2 2", b"  0x02", b"  2.0 ", b"\0    2", b"     +", b"   2\x002", b"   \xd9\xa2 "] {
        let found = check::<Entry>(&replaced(5, text));
        assert_eq!(rules(&found)[0], ("invalid", "length"), "{text:?}");
    }
    let found = check::<Entry>(&replaced(15, b"-000644\0"));
    assert_eq!(found[0].message, "\"-000644\\x00\" is not a valid octal number");
    // More than 64 bits.
    #[layout]
    struct Long(Decimal<20>);
    let long = |text: &'static [u8; 20]| read::<Long>(Source::new(text), Endian::Big, ());
    assert_eq!(long(b" 9223372036854775807").unwrap().0.value(), i64::MAX);
    assert!(long(b" 9223372036854775808").unwrap_err().to_string().contains("is not a valid decimal number"));
}

#[test]
fn a_number_at_another_place_is_a_finding_and_is_kept() {
    for (at, text, field) in [(5, &b"2     "[..], "length"), (5, b" +2   ", "length"), (11, b"   7", "owner")] {
        let file = replaced(at, text);
        assert_eq!(rules(&check::<Entry>(&file)), [("digits", field)]);
    }
    assert_eq!(check::<Entry>(&replaced(23, b"FF  "))[0].message, "the number does not fill its bytes");
    // Tar also has numbers with spaces, and texts without a zero at the end.
    for text in [b"   644 \0", b"0000644 ", b"00000644"] {
        assert_eq!(check::<Entry>(&replaced(15, text)), []);
        assert_eq!(rewrite::<Entry>(&replaced(15, text)).unwrap(), replaced(15, text));
    }
}

#[test]
fn a_length_below_zero_is_a_finding_of_the_field_that_it_measures() {
    let found = check::<Entry>(&replaced(5, b"    -2"));
    assert_eq!(rules(&found)[0], ("invalid", "content"));
    let found = check::<Entry>(&replaced(31, b" -1"));
    assert_eq!(found[0].message, "`size.value() * 2` is not a number of elements: it is negative, or exceeds memory");
}

#[test]
fn more_elements_than_bytes_end_with_the_file() {
    let found = check::<Entry>(b"ENTRY     07   0000644\x0000FF 99");
    assert_eq!(rules(&found)[0].1, "notes");
    let found = check::<Counted>(b"99999999999999999999");
    assert_eq!(rules(&found), [("invalid", "count")]);
    let found = check::<Counted>(b"  999999999999999999ab");
    assert_eq!(rules(&found), [("truncated", "marks[2].letter")]);
    let _ = Counted::MIN_SIZE;
}

/// A number of marks that no file has.
#[layout]
struct Counted {
    count: Decimal<20>,
    #[br(parse_with = each(0..count.value(), |_| ()))]
    marks: Vec<Letter>,
}

#[layout]
struct Letter {
    letter: u8,
}

impl Format for Counted {
    const NAME: &'static str = "counted";
}

#[test]
fn numbers_without_room_are_refused() {
    assert_eq!(Decimal::<3>::new(1000).unwrap_err().to_string(), "1000 has no room in a decimal text of 3 bytes");
    assert!(Decimal::<3>::new(-99).is_ok() && Decimal::<3>::new(-100).is_err());
    assert!(Octal::<4>::new(0o777).is_ok() && Octal::<4>::new(0o1000).is_err() && Octal::<4>::new(-1).is_err());
    assert_eq!(Decimal::<4, everybyte::number::Zeroed>::new(-5).unwrap().text(), b"-005");
    assert!(Decimal::<20, Right>::new(i64::MIN).is_ok() && Decimal::<19>::try_from(u64::MAX).is_err());
}

#[test]
fn the_forge_writes_numbers_in_texts_and_what_follows_from_them() {
    let forged =
        |recipe: &str| replay(&Of::<Entry>::new(), FILE, &recipe.parse().unwrap()).map_err(|it| it.to_string());
    let longer = forged("set content = \"twelve bytes\"").unwrap();
    assert_eq!(&longer[..39], b"ENTRY    127   0000644\x0000FFtwelve bytes");
    assert_eq!(check::<Entry>(&longer), []);
    assert_eq!(&forged("set owner = -12").unwrap()[11..15], b"-12 ");
    assert_eq!(&forged("leave length\nset content = \"abc\"").unwrap()[5..11], b"     2");
    assert!(forged("set owner = 10000").is_err());
    let explained = explain::<Entry>(FILE);
    let links = links::Links::new(&explained.spaces);
    let link = links.all().find(|link| link.number.name() == "length").unwrap();
    assert_eq!((link.number.value(), link.agrees()), (Value::Int(2), Some(true)));
}

#[test]
fn files_with_numbers_in_texts_are_made_valid_nine_times_of_ten() {
    fuzzing::values::<Entry>(200);
    let files: Vec<_> = (1..=100).filter_map(fuzzing::file::<Entry>).collect();
    assert!(files.iter().filter(|file| check::<Entry>(file).is_empty()).count() > 90);
    let marked =
        files.iter().filter(|file| !read::<Entry>(Source::new(file), Endian::Big, ()).unwrap().marks.is_empty());
    assert!(marked.count() > 20, "a rule says the numbers of marks");
}

#[test]
fn definitions_say_the_numbers_in_texts() {
    assert!(matches!(<Decimal<20>>::form(), Form::Digits(digits) if digits.base == 10 && digits.size == 20));
    let books = [Book::of::<Entry>()];
    let ksy = kaitai(Subject::new("entry", "Entry", &books));
    for words in [
        "    type: decimal_text_of_6_right\n",
        "    size: \"length.value\"\n",
        "    repeat-expr: \"count.value\"\n",
        "    type: \"mark((_index + 1))\"\n    repeat: expr\n    repeat-expr: \"(count.value - 1 + 1)\"\n",
        "  octal_text_of_8_zero_ended:\n    seq:\n      - id: text\n        type: str\n        encoding: ASCII\n        size: 8\n        terminator: 0\n",
        "        value: text.to_i(8)\n",
        "# NOT EXACT: some target languages cannot convert text with spaces around its digits",
    ] {
        assert!(ksy.contains(words), "{words}\n{ksy}");
    }
    let hexpat = imhex(Subject::new("entry", "Entry", &books));
    for words in [
        "import std.string;\n",
        "struct OctalTextOf8ZeroEnded {\n    char text[8];\n    s64 value = std::string::parse_int(text, 8) [[export]];\n};\n",
        "    u8 content[length.value];\n",
    ] {
        assert!(hexpat.contains(words), "{words}\n{hexpat}");
    }
}
