//! Pieces of packed content are joined only where the declaration says it.

#[everybyte::layout]
struct Notes {
    #[br(parse_with = everybyte::filling(u64::MAX))]
    #[layout(opens(everybyte::packing::Zlib as Words))]
    notes: Vec<Note>,
}

#[everybyte::layout]
struct Note {
    length: u8,
    #[br(count = length)]
    #[layout(piece = Words)]
    text: Vec<u8>,
}

#[everybyte::layout]
struct Words {
    first: u8,
}

fn main() {}
