use ndbytes_schemas::layout;
use modular_bitfield::prelude::*;

#[layout(bits = 8)]
struct Flags {
    low: bool,
    #[br(temp)]
    high: B7,
}

fn main() {}
