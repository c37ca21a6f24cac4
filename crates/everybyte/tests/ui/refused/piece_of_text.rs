//! A piece of packed content is bytes.

#[everybyte::layout]
struct Note {
    length: u8,
    #[br(count = length)]
    #[layout(piece = Words)]
    text: everybyte::Text,
}

#[everybyte::layout]
struct Words {
    first: u8,
}

fn main() {}
