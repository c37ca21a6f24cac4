use everybyte::{Align, layout};

#[layout]
struct Header {
    kind: u8,
    padding: Align<0>,
}

fn main() {}
