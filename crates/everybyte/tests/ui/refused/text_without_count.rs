use everybyte::{Text, layout};

#[layout]
struct Record {
    length: u8,
    name: Text,
}

fn main() {}
