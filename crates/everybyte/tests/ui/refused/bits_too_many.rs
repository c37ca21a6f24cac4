use everybyte::layout;

#[layout(bits = 16)]
struct Flags {
    low: modular_bitfield::prelude::B8,
    high: modular_bitfield::prelude::B9,
}

fn main() {}
