use everybyte::layout;

#[layout(bits = 8)]
struct Flags {
    low: bool,
    high: modular_bitfield::prelude::B6,
}

fn main() {}
