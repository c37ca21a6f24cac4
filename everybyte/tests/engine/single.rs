//! Single values: a struct whose one field has no name, fixed bytes, and values of which only some can be read.

use everybyte::{
    Endian, Format, Layout, ParseError, Source, check,
    error::Problem,
    explain, fuzzing, layout,
    map::Value,
    read,
    reference::{Book, Form},
    write,
};

/// Minutes since midnight.
#[layout(meaning = format!("{:02}:{:02}", self.0 / 60, self.0 % 60))]
#[derive(Copy, Eq)]
struct Clock(u16);

/// A number after its mark, whatever the order of the file.
#[layout(name = "marked i16")]
#[brw(big, magic = 0xd1u8)]
struct Marked(i16);

/// The end of a list of `BYTE`.
#[layout(name = format!("end {BYTE:02x}"), meaning = "the end")]
#[brw(magic = BYTE)]
#[derive(Copy, Eq, Default)]
struct End<const BYTE: u8>;

/// Fixed bytes.
#[layout]
#[brw(magic = b"AB")]
#[derive(Default)]
struct Letters;

/// One of two bytes.
#[layout(expected = [b'n', b'y'], value = Value::Name(if self.0 == b'y' { "yes" } else { "no" }.into()))]
struct Answer(u8);

/// The head of a list of `count`.
#[layout(expected = [0x90_u8.wrapping_add(count)], value = Value::Uint(self.0.wrapping_sub(0x90).into()))]
#[br(import(count: u8))]
struct Head(u8);

#[layout(value = Value::Bytes(vec![], 0))]
struct Pair([u16; 2]);

#[layout]
#[brw(little)]
struct Day {
    letters: Letters,
    clock: Clock,
    marked: Marked,
    answer: Answer,
    #[layout(fact)]
    count: u8,
    #[br(args(count))]
    head: Head,
    #[br(count = count)]
    clocks: Vec<Clock>,
    pair: Pair,
    end: End<0x7f>,
}

impl Format for Day {
    const NAME: &'static str = "day";
}

const FILE: &[u8] = b"AB\x3d\0\xd1\xff\xfey\x01\x91\x02\0\x01\0\x02\0\x7f";

fn day(bytes: &[u8]) -> Result<Day, Box<ParseError>> {
    read(Source::new(bytes), Endian::Little, ())
}

/// Returns the file with another byte at an offset.
fn with(offset: usize, byte: u8) -> Vec<u8> {
    let mut file = FILE.to_vec();
    file[offset] = byte;
    file
}

#[test]
fn a_value_is_read_shown_and_written_as_one() {
    let value = day(FILE).unwrap();
    assert_eq!((value.clock, &value.marked, &value.pair), (Clock(61), &Marked(-2), &Pair([1, 2])));
    assert_eq!(write(&value, Endian::Little).unwrap(), FILE);
    let explained = explain::<Day>(FILE);
    assert_eq!(explained.findings, []);
    let rows: Vec<_> = explained.spaces[0]
        .nodes
        .iter()
        .map(|node| (node.name().to_string(), node.type_name().to_string(), node.value(), node.meaning().to_string()))
        .collect();
    let row = |name: &str, of: &str, value, meaning: &str| (name.to_owned(), of.to_owned(), value, meaning.to_owned());
    assert_eq!(
        rows[..3],
        [
            row("letters", "Letters", Value::bytes(b"AB"), ""),
            row("clock", "Clock", Value::Uint(61), "01:01"),
            row("marked", "marked i16", Value::Int(-2), ""),
        ]
    );
    assert_eq!(rows[3], row("answer", "Answer", Value::Name("yes".into()), ""));
    assert_eq!(rows[5], row("head", "Head", Value::Uint(1), ""));
    assert_eq!(rows[7], row("pair", "Pair", Value::Bytes(vec![], 0), ""));
    assert_eq!(rows[8], row("end", "end 7f", Value::bytes(&[0x7f]), "the end"));
    assert!(explained.to_string().contains("clocks[0]"));
}

#[test]
fn another_value_than_those_expected_is_a_wrong_magic_at_its_bytes() {
    for (offset, path, expected) in [
        (0, "letters", &b"AB"[..]),
        (4, "marked", &[0xd1]),
        (7, "answer", b"n"),
        (9, "head", &[0x91]),
        (16, "end", &[0x7f]),
    ] {
        let file = with(offset, 0xEE);
        let error = day(&file).unwrap_err();
        assert_eq!((error.path.as_str(), error.offset), (path, offset as u64));
        assert!(
            matches!(&error.problem, Problem::WrongMagic { expected: wanted, .. } if wanted == expected),
            "{error}"
        );
        assert_eq!(check::<Day>(&file)[0].path, path);
    }
}

#[test]
fn a_value_has_the_form_and_the_size_of_its_type_after_its_fixed_bytes() {
    let number = |size, is_signed| Form::Integer { size, is_signed };
    assert_eq!((Clock::form(), Clock::SIZE), (number(2, false), Some(2)));
    let ordered = Form::Ordered(Endian::Big, Box::new(number(2, true)));
    assert_eq!((Marked::form(), Marked::SIZE), (Form::Marked(0xd1, Box::new(ordered)), Some(3)));
    assert_eq!((End::<7>::form(), End::<7>::MIN_SIZE), (Form::Fixed(vec![7]), 1));
    assert_eq!((Letters::form(), Letters::MAGIC), (Form::Fixed(b"AB".to_vec()), *b"AB"));
    // A value that is shown as something else is not a number.
    assert_eq!((Answer::form(), Answer::IS_NUMBER, Clock::IS_NUMBER), (Form::Opaque(Some(1)), false, true));
    assert_eq!(Book::of::<Day>().types.len(), 1);
}

#[test]
fn values_for_fuzzing_are_those_that_can_be_read() {
    fuzzing::values::<Day>(200);
}
