use everybyte::layout;

#[layout(bits = 12)]
struct Flags {
    low: modular_bitfield::prelude::B4,
    high: modular_bitfield::prelude::B8,
}

fn main() {}
