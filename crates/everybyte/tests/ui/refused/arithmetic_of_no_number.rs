use everybyte::layout;
use std::num::Wrapping;

#[layout]
struct Header {
    length: u8,
    #[br(count = (Wrapping(length) << 1_usize).0)]
    name: Vec<u8>,
}

fn main() {}
