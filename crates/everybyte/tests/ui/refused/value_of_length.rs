//! A number about other fields means what it says.

#[everybyte::layout]
struct Header {
    #[layout(extent = body, value = u32::from(length) * 4)]
    length: u8,
    #[br(count = length)]
    body: Vec<u8>,
}

fn main() {}
