use ndbytes_schemas::layout;
use modular_bitfield::prelude::*;

#[layout(bits = 8)]
struct Flags {
    low: B4,
    high: String,
}

fn main() {}
