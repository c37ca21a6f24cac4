//! Pieces of packed content are joined only where the declaration says it.

use everybyte::packing::Zlib;
use everybyte::{filling, layout};

#[layout]
struct Notes {
    #[br(parse_with = filling(u64::MAX))]
    #[layout(opens(Zlib as Words))]
    notes: Vec<Note>,
}

#[layout]
struct Note {
    length: u8,
    #[br(count = length)]
    #[layout(piece = Words)]
    text: Vec<u8>,
}

#[layout]
struct Words {
    first: u8,
}

fn main() {}
