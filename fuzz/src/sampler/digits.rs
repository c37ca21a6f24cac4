//! Numbers stored as text.

use everybyte::{
    Format, layout,
    list::each,
    number::{Decimal, Hex, Left, Octal},
};

/// A file of an archive.
#[layout]
#[brw(magic = b"ENTRY")]
pub struct Entry {
    #[br(temp)]
    #[layout(extent = content)]
    length: Decimal<6>,
    owner: Decimal<4, Left>,
    #[layout(fact, rule("entry/mode", error, mode.value() >= 0, "a mode is not negative"))]
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

/// A number that says its place.
#[layout]
#[br(import(number: i64))]
struct Mark {
    #[layout(rule("entry/mark", error, place.value() == number, "this is mark {number}"))]
    place: Decimal<2, Left>,
}

impl Format for Entry {
    const NAME: &'static str = "entry";
}
