//! Lists that are not in the value, arrays of numbers as text, and optional lists.

use binrw::BinResult;
use binrw::io::{Read, Seek};
use everybyte::{
    Endian, Format, layout,
    list::{Elements, Numbers, each},
    number::{I24, Number, Octal},
    text::NulString,
};

/// Corners, numbers of two types, and names.
#[layout]
#[brw(little)]
pub struct Outline {
    corner_count: u8,
    #[br(args { count: corner_count.into() })]
    corners: Elements<Corner>,
    number_count: u8,
    #[br(args { number: if number_count % 2 == 0 { Number::U16 } else { Number::F64 }, count: number_count.into() })]
    numbers: Numbers,
    modes: [Octal<3>; 2],
    name: NulString,
    #[br(temp)]
    #[layout(counts = names)]
    name_count: u8,
    #[br(parse_with = some_names(name_count))]
    names: Option<Vec<NulString>>,
    #[layout(show = hex)]
    address: u32,
}

/// A place of four bytes.
#[layout]
struct Corner {
    x: u8,
    y: I24,
}

impl Format for Outline {
    const NAME: &'static str = "outline";
}

/// Names; without any, there is no list.
fn some_names<R: Read + Seek>(count: u8) -> impl Fn(&mut R, Endian, ()) -> BinResult<Option<Vec<NulString>>> {
    move |reader, endian, ()| match count {
        0 => Ok(None),
        _ => each(1..=count, |_| ())(reader, endian, ()).map(Some),
    }
}
