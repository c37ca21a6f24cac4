use everybyte::bits::*;

#[everybyte::layout(bits = 8)]
struct Flags {
    low: B4,
    high: u8,
}

fn main() {}
