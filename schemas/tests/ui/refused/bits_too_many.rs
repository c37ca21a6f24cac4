use ndbytes_schemas::layout;
use modular_bitfield::prelude::*;

#[layout(bits = 16)]
struct Flags {
    low: B8,
    high: B9,
}

fn main() {}
