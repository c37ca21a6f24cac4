//! FITS: images and tables of astronomers. `cargo run -p everybyte --example fits -- explain FILE`
//!
//! Source: "Definition of the Flexible Image Transport System", version 4.0. The sections below are its own.

use everybyte::{Align, Format, Latin1, Padded, Text, filling, layout, until};

/// 3.1: the first unit, and extensions.
#[layout]
#[brw(magic = b"SIMPLE  =")]
pub struct Fits {
    /// `T`: the file is as the standard says.
    #[layout(steady)]
    simple: Text<Latin1, Padded<71, b' '>>,
    primary: Unit,
    #[br(parse_with = filling(u64::MAX))]
    extensions: Vec<Extension>,
}

/// 3.4.1: a unit whose first card names its kind.
#[layout]
#[brw(magic = b"XTENSION=")]
struct Extension {
    #[layout(steady)]
    kind: Text<Latin1, Padded<71, b' '>>,
    #[layout(inline)]
    unit: Unit,
}

/// 3.3 and 3.4: a header and data, each padded to blocks of 2,880 bytes.
#[layout]
struct Unit {
    #[br(parse_with = until(|card: &Card| card.keyword.bytes() == b"END     "))]
    cards: Vec<Card>,
    header_padding: Align<2880, b' '>,
    #[layout(payload)]
    #[br(count = data(&cards))]
    data: Vec<u8>,
    padding: Align<2880>,
}

/// 4.1: a line of 80 letters.
#[layout]
struct Card {
    #[layout(key, steady)]
    keyword: Text<Latin1, Padded<8, b' '>>,
    /// `= `, a value, and a comment after `/`.
    #[layout(fact)]
    value: Text<Latin1, Padded<72, b' '>>,
}

/// 4.4.1: bytes of the data, which are `|BITPIX| × GCOUNT × (PCOUNT + NAXIS1 × … × NAXISm) / 8`.
fn data(cards: &[Card]) -> u64 {
    let stated = |keyword: &str| {
        let card = cards.iter().find(|card| card.keyword.bytes() == format!("{keyword:8}").as_bytes())?;
        let value = str::from_utf8(card.value.bytes()).ok()?.strip_prefix("= ")?.split('/').next()?;
        value.trim().parse().ok().map(i64::unsigned_abs)
    };
    let number = |keyword: &str, otherwise| stated(keyword).unwrap_or(otherwise);
    let axes = (1..=number("NAXIS", 0).min(999)).map(|axis| number(&format!("NAXIS{axis}"), 0));
    let values = axes.reduce(u64::saturating_mul).map_or(0, |all| all.saturating_add(number("PCOUNT", 0)));
    values.saturating_mul(number("GCOUNT", 1)).saturating_mul(number("BITPIX", 8)) / 8
}

impl Format for Fits {
    const NAME: &'static str = "FITS";
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Fits>()
}
