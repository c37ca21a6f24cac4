use ndbytes_schemas::layout;
use modular_bitfield::prelude::*;

#[layout(bits = 8)]
struct Flags {
    low: bool,
    high: B6,
}

fn main() {}
