//! FITS: astronomical images and tables. `cargo run -p everybyte-tests --example fits -- explain FILE`
//!
//! Source: "Definition of the Flexible Image Transport System", version 4.0. Section numbers below refer to it.

use everybyte::{
    Format,
    bytes::Align,
    layout,
    list::{each, filling, until},
    number::{Decimal, Left},
    text::{Ascii, Filled, Latin1, Padded, Text},
};

/// 3.1: the first unit, and extensions.
#[layout]
#[brw(magic = b"SIMPLE  =                    T")]
pub struct Fits {
    #[br(args(50))]
    comment: Comment,
    #[br(args(false))]
    primary: Unit,
    #[br(parse_with = filling(u64::MAX))]
    extensions: Vec<Extension>,
}

/// 3.4.1: a unit whose first card names its kind.
#[layout]
#[brw(magic = b"XTENSION= '")]
struct Extension {
    #[layout(steady)]
    kind: Text<Ascii, Padded<8, b' '>>,
    quote: Quote,
    #[br(args(60))]
    comment: Comment,
    #[layout(inline)]
    #[br(args(true))]
    unit: Unit,
}

#[layout]
#[brw(magic = b"'")]
struct Quote;

/// 3.3 and 3.4: a header and data, each padded to blocks of 2,880 bytes.
#[layout]
#[br(import(is_extension: bool))]
struct Unit {
    bits: Bits,
    rank: Rank,
    #[br(parse_with = each(1..=rank.axes.value(), |number| (number,)))]
    axes: Vec<Axis>,
    #[br(if(is_extension))]
    groups: Option<Groups>,
    #[br(parse_with = until(|card: &Card| card.keyword.bytes() == b"END     "))]
    cards: Vec<Card>,
    header_padding: Align<2880, b' '>,
    /// 4.4.1.1: bytes of the array, and of what stands after it.
    #[br(count = if axes.is_empty() { 0 } else { groups.as_ref().map_or(1, |all| all.count.value()) * (groups.as_ref().map_or(0, |all| all.parameters.value()) + axes.iter().map(|axis| axis.length.value()).product::<i64>()) * (bits.value.value().saturating_abs() / 8) })]
    #[layout(payload)]
    data: Vec<u8>,
    padding: Align<2880>,
}

/// Bits of a value; those of a float are below zero.
#[layout]
#[brw(magic = b"BITPIX  = ")]
struct Bits {
    #[layout(steady)]
    #[layout(rule("fits/bits", error, matches!(value.value(), 8 | 16 | 32 | 64 | -32 | -64), "a value has no {} bits", value.value()))]
    value: Decimal<20>,
    #[br(args(50))]
    comment: Comment,
}

/// The number of axes.
#[layout]
#[brw(magic = b"NAXIS   = ")]
struct Rank {
    #[layout(steady)]
    #[layout(rule("fits/rank", error, (0..=999).contains(&axes.value()), "a unit has 0 to 999 axes"))]
    axes: Decimal<20>,
    #[br(args(50))]
    comment: Comment,
}

/// An axis of the array.
#[layout]
#[brw(magic = b"NAXIS")]
#[br(import(place: i64))]
struct Axis {
    #[layout(steady)]
    #[layout(rule("fits/axis", error, number.value() == place, "axes stand in order: this is axis {place}"))]
    number: Decimal<3, Left>,
    equals: Equals,
    #[layout(steady)]
    #[layout(rule("fits/length", error, length.value() >= 0, "an axis has no length below zero"))]
    length: Decimal<20>,
    #[br(args(50))]
    comment: Comment,
}

#[layout]
#[brw(magic = b"= ")]
struct Equals;

/// 4.1.2.3: the letters after a value. A slash stands before a comment.
#[layout]
#[br(import(length: u64))]
struct Comment {
    #[layout(steady)]
    #[layout(rule("fits/comment", error, matches!(slash.trim_ascii_start(), [] | [b'/', ..]), "a comment begins with a slash"))]
    slash: [u8; 3],
    #[layout(inline)]
    #[br(args(slash, length - 3))]
    words: Words,
}

#[layout(match = slash)]
#[br(import(slash: [u8; 3], length: u64))]
enum Words {
    #[when(b" / ")]
    Usual {
        #[layout(fact)]
        #[br(count = length)]
        words: Text<Latin1, Filled<b' '>>,
    },
    #[when(_)]
    Other {
        #[layout(rule("fits/comment", error, !slash.trim_ascii().is_empty() || matches!(words.bytes().trim_ascii_start(), [] | [b'/', ..]), "a comment begins with a slash"))]
        #[br(count = length)]
        words: Text<Latin1, Filled<b' '>>,
    },
}

/// 4.4.1.2: bytes after the array, and how many arrays there are.
#[layout]
#[brw(magic = b"PCOUNT  = ")]
struct Groups {
    #[layout(steady)]
    #[layout(rule("fits/parameters", error, parameters.value() >= 0, "there are no fewer than 0 parameters"))]
    parameters: Decimal<20>,
    #[br(args(50))]
    parameters_comment: Comment,
    keyword: GroupCount,
    #[layout(steady)]
    #[layout(rule("fits/groups", error, count.value() >= 0, "there are no fewer than 0 groups"))]
    count: Decimal<20>,
    #[br(args(50))]
    comment: Comment,
}

#[layout]
#[brw(magic = b"GCOUNT  = ")]
struct GroupCount;

/// 4.1: a line of 80 letters.
#[layout]
struct Card {
    #[layout(key, steady)]
    keyword: Text<Latin1, Padded<8, b' '>>,
    #[layout(inline)]
    #[br(args(&keyword))]
    value: Value,
}

/// The letters after a keyword.
#[layout(match = keyword.bytes())]
#[br(import(keyword: &Text<Latin1, Padded<8, b' '>>))]
enum Value {
    #[when(b"END     ")]
    End { blank: Blank },
    /// `= `, a value, and a comment after `/`.
    #[when(_)]
    Other {
        #[layout(fact)]
        value: Text<Latin1, Padded<72, b' '>>,
    },
}

#[layout]
#[brw(magic = b"                                                                        ")]
struct Blank;

impl Format for Fits {
    const NAME: &'static str = "FITS";
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Fits>()
}
