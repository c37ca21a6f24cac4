//! A piece of packed content is bytes.

use everybyte::{Text, layout};

#[layout]
struct Note {
    length: u8,
    #[br(count = length)]
    #[layout(piece = Words)]
    text: Text,
}

#[layout]
struct Words {
    first: u8,
}

fn main() {}
