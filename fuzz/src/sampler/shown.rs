//! Meanings of bytes, replaced names, single values, and fields without their own nodes.

use everybyte::bits::{B5, B6};
use everybyte::{
    Format, layout,
    list::filling,
    map::Value,
    text::{Ascii, Ended, Text},
};

/// Shapes, each of a kind.
#[layout]
#[brw(little)]
pub struct Shapes {
    #[layout(name = "type")]
    #[layout(rule("shapes/type", error, type_ < 9, "{type_} is no type"))]
    type_: u8,
    #[layout(name = "low-high")]
    bits: Low,
    #[layout(value = u32::from(words) * 4)]
    words: u8,
    #[layout(show = hex)]
    address: i16,
    tag: u8,
    #[br(calc = i16::from(tag) - 0x80)]
    #[bw(ignore)]
    #[layout(value)]
    number: i16,
    marked: Marked,
    answer: Answer,
    clocks: [Clock; 3],
    points: [Point; 2],
    #[br(args(tag))]
    steps: [Step; 2],
    #[layout(name = "the-shapes")]
    #[br(parse_with = filling(u64::MAX))]
    shapes: Vec<Shaped>,
}

/// A step that repeats the tag of the file.
#[layout]
#[br(import(tag: u8))]
struct Step {
    #[layout(rule("shapes/step", error, again == tag, "the tag is {tag}"))]
    again: u8,
    height: u8,
}

/// A shape after its kind.
#[layout]
struct Shaped {
    kind: u8,
    #[br(args(kind))]
    shape: Shape,
}

#[layout(bits = 16)]
struct Low {
    low: B5,
    middle: B6,
    high: B5,
}

#[layout(match = kind)]
#[br(import(kind: u8))]
enum Shape {
    #[when(1)]
    Point {
        #[layout(inline)]
        value: Point,
    },
    #[when(2)]
    Number {
        #[layout(inline)]
        value: u16,
    },
    #[when(3)]
    Name {
        #[layout(inline)]
        value: Text<Ascii, Ended<0>>,
    },
    #[when(4)]
    Counted {
        #[br(temp)]
        length: u8,
        #[br(count = length)]
        #[layout(inline)]
        value: Text<Ascii>,
    },
    #[when(5)]
    Sized {
        #[br(temp)]
        length: u8,
        #[layout(inline, size = length)]
        value: Point,
    },
    #[when(_)]
    Bits {
        #[layout(inline)]
        value: Low,
    },
}

#[layout]
struct Point {
    x: u8,
    y: u8,
}

/// Minutes since midnight.
#[layout(meaning = format!("{:02}:{:02}", self.0 / 60, self.0 % 60))]
struct Clock(u16);

/// A number after its mark, whatever the order of the file.
#[layout(name = "marked i16")]
#[brw(big, magic = 0xd1u8)]
struct Marked(i16);

/// One of two bytes.
#[layout(expected = [b'n', b'y'], value = Value::Name(if self.0 == b'y' { "yes" } else { "no" }.into()))]
struct Answer(u8);

impl Format for Shapes {
    const NAME: &'static str = "shapes";
}
