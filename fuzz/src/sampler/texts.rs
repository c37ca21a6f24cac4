//! Texts, numbers of odd widths, and padding.

use everybyte::{
    Format,
    bytes::Align,
    layout,
    list::filling,
    number::{I24, I48, U24, U48},
    text::{Ascii, Closed, ClosedIn, Ended, Filled, Latin1, Padded, Text, Utf8, Utf16Be, Utf16Le},
};

/// Records, one after the other, each with other declarations.
#[layout]
#[brw(little, magic = b"SAMPLER\n")]
pub struct Sampler {
    #[br(parse_with = filling(u64::MAX))]
    records: Vec<Record>,
}

impl Format for Sampler {
    const NAME: &'static str = "sampler";
}

/// A kind, and what it says.
#[layout]
#[brw(little)]
struct Record {
    #[layout(fact)]
    kind: u8,
    #[br(args(kind))]
    content: Content,
}

/// The content of a record, by its kind.
#[layout(match = kind)]
#[brw(little)]
#[br(import(kind: u8))]
enum Content {
    /// Texts that something ends, in each encoding.
    #[when(1)]
    Ended {
        eight: Text<Utf8, Ended<0>>,
        line: Text<Latin1, Ended<b'\n'>>,
        fixed: Text<Ascii, ClosedIn<4, 0>>,
        padded: Text<Latin1, Padded<4, b' '>>,
    },
    /// Texts whose bytes are counted.
    #[when(2)]
    Counted {
        #[br(temp)]
        length: u8,
        #[br(count = length)]
        ascii: Text<Ascii>,
        #[br(temp)]
        little_length: u8,
        #[br(count = little_length)]
        little: Text<Utf16Le>,
        #[br(temp)]
        big_length: u8,
        #[br(count = big_length)]
        big: Text<Utf16Be>,
        #[br(count = 6)]
        closed: Text<Ascii, Closed<0>>,
        #[br(count = 6)]
        filled: Text<Latin1, Filled<b' '>>,
    },
    /// Integers of three and of six bytes, in both orders.
    #[when(3)]
    Wide {
        near: I24,
        far: U48,
        #[brw(big)]
        deep: I48,
        #[br(temp)]
        #[brw(big)]
        length: U24,
        #[br(count = length.value())]
        text: Text,
    },
    /// Paddings: from the beginning of the file, from a field, and up to a multiple that the file states.
    #[when(4)]
    Aligned {
        multiple: u8,
        first: Align<8>,
        #[layout(from = multiple)]
        own: Align<3, b'-'>,
        #[br(args { to: multiple.into() })]
        stated: Align<4, b' '>,
    },
}
