//! Layouts with views.

use everybyte::bits::*;
use everybyte::varint::Leb128;
use everybyte::{
    Format,
    bytes::{Align, Bytes, Region, Rest, Zeros},
    codes, layout,
    list::{filling, rest},
    number::{Decimal, U24},
    text::{Ascii, Closed, ClosedIn, Ended, Latin1, NulString, Padded, Text, Utf8},
};

codes! {
    /// The kind of a point.
    pub struct Kind(u16) {
        /// The first kind.
        FIRST = 1 => "first";
        /// The second kind.
        SECOND = 2 => "second";
    }
}

/// What a point is for.
#[layout]
#[brw(repr = u8)]
pub enum Purpose {
    /// Something.
    Some = 1,
    /// Something else.
    Other = 2,
}

/// Marks of a point.
#[layout(bits = 8)]
pub struct Marks {
    pub is_set: bool,
    pub level: B7,
}

/// A structure of fixed size, in the order of the file.
#[layout(view)]
pub struct Point {
    pub id: u16,
    pub kind: Kind,
    pub weight: f32,
    pub colour: [u8; 3],
    pub purpose: Purpose,
    pub marks: Marks,
}

/// Minutes since midnight.
#[layout(view, meaning = format!("{}", self.0))]
#[brw(big)]
pub struct Clock(pub u16);

/// A byte that is always the same.
#[layout(view)]
#[brw(magic = BYTE)]
pub struct Marker<const BYTE: u8>;

/// Counted lists and texts, and everything after them.
#[layout(view)]
#[brw(little, magic = b"SHLF")]
pub struct Shelf {
    #[br(assert(version == 2 || version == 3, "version {version} is not known"))]
    pub version: u8,
    #[br(temp)]
    count: U24,
    #[br(count = count.value())]
    pub points: Vec<Point>,
    #[br(temp)]
    length: u8,
    #[br(count = length)]
    pub name: Text,
    #[br(big)]
    pub total: u32,
    #[br(temp)]
    books: u8,
    #[br(count = books)]
    pub titles: Vec<Title>,
    pub opens: Clock,
    pub end: Marker<0x7f>,
}

/// An element of variable size.
#[layout(view)]
pub struct Title {
    #[br(temp)]
    length: Leb128,
    #[br(count = length.value())]
    pub title: Text<Latin1>,
    pub author: Text<Utf8, Ended<0>>,
    pub padding: Align<2>,
}

/// Fields that may be absent.
#[layout(view)]
#[brw(big)]
pub struct Flagged {
    pub flags: u8,
    #[br(if(flags & 1 == 1))]
    pub wide: Option<u32>,
    #[br(if(flags & 2 == 2), count = flags >> 4)]
    pub many: Vec<u16>,
    #[br(if(flags & 4 == 4))]
    pub point: Option<Point>,
    #[br(calc = u16::from(flags) * 2 - 1)]
    #[bw(ignore)]
    pub twice: u16,
    pub last: u8,
}

/// Kinds of bytes.
#[layout(view)]
#[brw(little)]
pub struct Archive {
    pub size: Decimal<3>,
    #[br(args { length: u64::try_from(size).unwrap_or(0) })]
    pub body: Bytes,
    pub owner: Text<Ascii, Padded<4, b' '>>,
    pub group: Text<Utf8, ClosedIn<4, 0>>,
    pub name: NulString,
    pub reserved: Zeros<2>,
    #[br(count = 3)]
    pub note: Text<Utf8, Closed<b'!'>>,
    pub corners: [[u16; 2]; 2],
    #[br(args { length: 4 })]
    pub tail: Region,
    pub rest: Rest,
}

/// Structures of stated sizes, chosen by values.
#[layout(view)]
#[brw(big, magic = 0x4652u16)]
pub struct Frames {
    #[br(parse_with = filling(u64::MAX))]
    pub frames: Vec<Frame>,
}

/// A frame.
#[layout(view)]
pub struct Frame {
    pub kind: u8,
    #[br(temp)]
    size: u16,
    #[br(args(kind, [1, 2]))]
    #[layout(size = size)]
    pub body: Body,
}

/// The body of a frame.
#[layout(match = kind, view)]
#[br(import(kind: u8, pair: [u8; 2]))]
pub enum Body {
    #[when(0)]
    Empty {},
    #[when(1)]
    Pair {
        a: u16,
        b: u16,
        #[br(count = pair[1])]
        c: Vec<u8>,
    },
    #[when(2 | 3)]
    Pairs {
        #[br(parse_with = filling(u64::MAX))]
        pairs: Vec<[u16; 2]>,
    },
    #[when(other if other > 250)]
    Text {
        #[br(parse_with = rest)]
        text: Text,
    },
    #[when(9)]
    Titles {
        #[br(temp)]
        #[layout(extent = titles)]
        length: u8,
        #[br(parse_with = filling(length.into()))]
        titles: Vec<Title>,
        #[br(parse_with = rest)]
        bytes: Vec<u8>,
    },
}

/// Structures at offsets.
#[layout(view)]
#[brw(little)]
pub struct Tables {
    first: u8,
    #[br(temp)]
    count: u8,
    second: u8,
    third: u8,
    header: Header,
    #[br(count = count)]
    #[layout(at = first)]
    pub points: Vec<Point>,
    #[layout(at = second, size = header.size, relative_to = Tables)]
    pub title: Title,
    #[layout(at = third - 1, after = header)]
    #[br(if(third > 0))]
    pub text: Option<NulString>,
}

/// The header of tables.
#[layout(view)]
pub struct Header {
    pub size: u16,
}

/// A structure that contains itself.
#[layout(view)]
pub struct Tree {
    pub value: u8,
    #[br(if(value & 1 == 1))]
    pub left: Option<Box<Tree>>,
    #[br(if(value & 2 == 2))]
    pub right: Option<Box<Tree>>,
}

/// Offsets that lead on.
#[layout(view)]
#[brw(little)]
pub struct Pack {
    pub next: u8,
    #[br(if(next != 0))]
    #[layout(at = next)]
    pub more: Option<Box<Pack>>,
}

/// Fields with the names that everybyte's own code may have.
#[layout(view)]
pub struct Names {
    pub at: u8,
    pub frame: u8,
    pub field: u8,
    pub to: u8,
    pub args: u8,
    pub value: u8,
    #[br(count = at + frame + field + to + args + value)]
    pub place: Vec<u8>,
    #[br(count = place.len())]
    pub origin: Vec<u8>,
}

macro_rules! formats {
    ($($name:ident)*) => {$(
        impl Format for $name {
            const NAME: &'static str = stringify!($name);
        }
    )*};
}

formats!(Point Shelf Flagged Archive Frames Tables Tree Pack);
