//! Fields that unpack into others, within little memory.

use everybyte::packing::{Gzip, Zlib};
use everybyte::{
    Format, Limits, layout,
    list::{filling, rest},
};

/// Rows and notes, compressed.
#[layout]
#[brw(big)]
pub struct Picture {
    #[layout(fact)]
    width: u8,
    #[br(temp)]
    length: u16,
    #[br(count = length)]
    #[layout(opens(Zlib as Rows, args(width)))]
    rows: Vec<u8>,
    #[br(temp)]
    count: u16,
    #[br(count = count)]
    notes: Vec<Note>,
    #[br(parse_with = rest)]
    #[layout(opens(Gzip as Words))]
    words: Vec<u8>,
}

/// An index, compressed, and the name to which it leads.
#[layout]
pub struct Packed {
    #[br(parse_with = rest)]
    #[layout(opens(Zlib as Index))]
    index: Vec<u8>,
}

#[layout]
struct Index {
    offset: u8,
    #[layout(at = offset)]
    name: Option<Note>,
}

impl Format for Packed {
    const NAME: &'static str = "packed";
}

#[layout]
struct Note {
    length: u8,
    #[br(count = length)]
    #[layout(opens(Zlib as Words))]
    words: Vec<u8>,
}

#[layout]
struct Words {
    #[br(parse_with = filling(u64::MAX))]
    pairs: Vec<Pair>,
}

#[layout]
struct Pair {
    first: u8,
    #[layout(rule("picture/pair", error, second >= first, "{second} is below {first}"))]
    second: u8,
}

#[layout]
#[brw(big)]
#[br(import(width: u8))]
struct Rows {
    #[br(temp)]
    count: u8,
    #[br(count = count, args { inner: (width,) })]
    rows: Vec<Row>,
}

#[layout]
#[br(import(width: u8))]
struct Row {
    #[layout(fact)]
    #[layout(rule("picture/filter", error, filter < 5, "filter {filter} is not defined"))]
    filter: u8,
    #[layout(payload)]
    #[br(count = width)]
    pixels: Vec<u8>,
}

impl Format for Picture {
    const NAME: &'static str = "picture";

    fn limits() -> Limits {
        Limits::default().bytes(1 << 4).spaces(100)
    }
}
