use everybyte::layout;

#[layout(bits = 8)]
struct Flags {
    low: bool,
    #[br(temp)]
    high: modular_bitfield::prelude::B7,
}

fn main() {}
