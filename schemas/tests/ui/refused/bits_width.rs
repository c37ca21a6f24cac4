use ndbytes_schemas::layout;
use modular_bitfield::prelude::*;

#[layout(bits = 12)]
struct Flags {
    low: B4,
    high: B8,
}

fn main() {}
