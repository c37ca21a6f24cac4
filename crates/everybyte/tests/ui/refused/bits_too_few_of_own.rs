use everybyte::bits::*;

struct Colour;

impl BitField for Colour {
    const WIDTH: u32 = 2;
    type Value = u64;

    fn of_bits(bits: u64) -> u64 {
        bits
    }

    fn bits(value: u64) -> u64 {
        value
    }
}

#[everybyte::layout(bits = 8)]
struct Flags {
    low: B4,
    colour: Colour,
}

fn main() {}
