//! Fields inside options and boxes are read as they are elsewhere; numbers and rests state their positions.

use everybyte::arbitrary::{Arbitrary, Unstructured};
use everybyte::{
    Endian, Finding, Format, Source,
    bytes::Rest,
    check, codes, explain, layout,
    list::Numbers,
    map::Name,
    number::Number,
    read,
    text::{Ascii, Padded, Text},
    varint::Leb128,
};
use std::io::{ErrorKind, Read};

codes! {
    /// The kind of a parcel.
    pub struct Kind(u8) {
        /// With a label.
        LABELLED = 1 => "with a label";
    }
}

/// A parcel of numbers.
#[layout]
#[brw(little)]
struct Parcel {
    flags: u8,
    #[br(if(flags & 1 != 0))]
    kind: Option<Kind>,
    label: Box<Text<Ascii, Padded<2, b' '>>>,
    #[br(args { number: Number::U16, count: u64::from(flags >> 4) })]
    numbers: Numbers,
    rest: Rest,
}

impl Format for Parcel {
    const NAME: &'static str = "parcel";
}

const FILE: &[u8] = b"\x21\x01ab\x01\x00\x02\x00zzz";

#[test]
fn an_option_and_a_box_say_what_the_field_in_them_says() {
    let map = explain::<Parcel>(FILE).to_string();
    let line =
        |field: &str| map.lines().find(|line| line.contains(field)).unwrap_or_else(|| panic!("{map}")).to_owned();
    assert!(line(" kind ").contains("with a label"), "{map}");
    assert!(line(" label ").contains("\"ab\""), "{map}");
    assert!(line(" rest ").contains("3 bytes"), "{map}");
    assert_eq!(check::<Parcel>(FILE), []);
    let mut other = FILE.to_vec();
    other[3] = 0xff;
    let found: Vec<Finding> = check::<Parcel>(&other);
    let found: Vec<_> = found.iter().map(|finding| (finding.rule.as_str(), finding.path.as_str())).collect();
    assert_eq!(found, [("encoding", "label")]);
}

#[test]
fn numbers_say_where_each_of_them_stands() {
    let parcel: Parcel = read(Source::new(FILE), Endian::Little, ()).unwrap();
    assert_eq!(parcel.numbers.range(), 4..8);
    assert_eq!([0, 1].map(|index| parcel.numbers.place(index)), [4..6, 6..8]);
    let all = [Number::I8, Number::U16, Number::F32, Number::I64, Number::U128];
    assert_eq!(all.map(Number::size), [1, 2, 4, 8, 16]);
}

#[test]
fn a_source_ends_where_its_space_does_and_lacks_what_is_not_at_hand() {
    let mut buffer = [0; 4];
    let mut whole = Source::new(b"abc");
    assert_eq!((whole.read(&mut buffer).unwrap(), &buffer[..3]), (3, &b"abc"[..]));
    assert_eq!((whole.read(&mut buffer).unwrap(), whole.position()), (0, 3));
    let mut part = Source::prefix(b"abc", 5);
    assert_eq!(part.read(&mut buffer[..2]).unwrap(), 2);
    assert_eq!(part.read(&mut buffer).unwrap(), 1);
    assert_eq!(part.read(&mut buffer).unwrap_err().kind(), ErrorKind::WouldBlock);
    assert_eq!(part.read(&mut []).unwrap(), 0);
}

#[test]
fn a_name_is_equal_to_its_text_on_either_side() {
    let (compiled, made) = (Name::new("width"), Name::from("width".to_owned()));
    assert!(compiled == made && *"width" == compiled && made == *"width" && *"height" != made);
    assert_eq!((compiled.heap(), made.heap()), (0, 5));
}

#[test]
fn leb128_numbers_that_are_made_up_are_of_all_lengths() {
    let random =
        |seed: u8| -> Vec<u8> { (0..17_u8).map(|place| place.wrapping_mul(seed).wrapping_add(seed * 3)).collect() };
    let made: Vec<Leb128> =
        (0..80).map(|seed| Leb128::arbitrary(&mut Unstructured::new(&random(seed))).unwrap()).collect();
    let mut values: Vec<u64> = made.iter().map(|number| number.value()).collect();
    values.sort_unstable();
    values.dedup();
    assert!(values.len() > 30 && values.last() > Some(&(1 << 40)), "{values:?}");
}
