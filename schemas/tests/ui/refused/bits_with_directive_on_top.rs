use ndbytes_schemas::layout;
use modular_bitfield::prelude::*;

#[layout(bits = 16)]
#[brw(big)]
struct Flags {
    low: bool,
    high: B15,
}

fn main() {}
