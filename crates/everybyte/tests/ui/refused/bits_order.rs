//! Bits are counted from the lowest one, or from the highest one.

#[everybyte::layout(bits = 8, lsb)]
struct Flags {
    low: everybyte::bits::B4,
    high: everybyte::bits::B4,
}

fn main() {}
