use everybyte::layout;

#[layout(bits = 16)]
#[brw(big)]
struct Flags {
    low: bool,
    high: modular_bitfield::prelude::B15,
}

fn main() {}
