//! Arithmetic in declarations. The results may be out of range.

use everybyte::{Format, bytes::Bytes, layout, list::until};

/// Each kind of expression, and each operator.
#[layout]
#[brw(little)]
pub struct Results {
    shift: u8,
    number: u8,
    wide: i32,
    #[br(count = (i32::from(number) + (wide << shift) - (wide >> 3)) % 7)]
    list: Vec<u16>,
    #[brw(if(number / shift > 2))]
    more: Option<u8>,
    #[br(if(number >= 6), args { length: u64::from(number - 6) })]
    absent: Option<Bytes>,
    #[br(args(number))]
    choice: Choice,
    #[br(map = |raw: u8| raw - 1)]
    #[bw(map = |value: &u8| *value + 1)]
    less: u8,
    #[br(try_map = |raw: u8| u8::try_from(u16::from(raw) * 2).map(|twice| -i16::from(twice)))]
    #[bw(map = |value| (-*value / 2) as u8)]
    #[br(assert(half < 9, "it is {half}"))]
    half: i16,
    #[br(calc = number % (number - 1))]
    #[bw(ignore)]
    rest: u8,
    #[br(temp, assert(shorter == number - 2, "it is not {number} without 2"))]
    #[bw(calc = *number - 2)]
    shorter: u8,
    #[layout(rule("results/depth", error, number * less < 100, "{} is too much", number * less))]
    depth: u8,
    #[br(assert(sum - 1 < 200, "it is {sum}"))]
    sum: u8,
    opposite: i8,
    #[br(if(-opposite > 3))]
    last: Option<u16>,
}

/// Alternatives with guards that may have no result.
#[layout]
#[brw(little)]
#[br(import(kind: u8))]
enum Choice {
    #[br(pre_assert(kind == 0))]
    None { value: u8 },
    #[br(pre_assert(kind - 5 > 0))]
    Other { value: u16 },
}

impl Format for Results {
    const NAME: &'static str = "results";
}

/// Sums, products, shifts and floats, and a list whose last element an expression tells.
#[layout]
#[brw(little)]
pub struct Terms {
    number: u8,
    signed: i8,
    other: i8,
    wide: f64,
    narrow: f32,
    #[br(if(number + number > 9))]
    sum: Option<u8>,
    #[br(if(signed * other > 9))]
    product: Option<u8>,
    #[br(if(128 >> number > 3))]
    half: Option<u8>,
    #[layout(rule("terms/signed", error, -signed < 100, "{signed} is too little"))]
    #[layout(rule("terms/wide", error, -wide * 2.0 < 9.0 || -narrow + 1.0 < 9.0, "{wide} and {narrow} are too little"))]
    mark: u8,
    #[br(parse_with = until(|step: &Step| step.left - 1 == 0))]
    steps: Vec<Step>,
}

/// A step, and the number of those that are left, with this one.
#[layout]
struct Step {
    left: u8,
}

impl Format for Terms {
    const NAME: &'static str = "terms";
}
