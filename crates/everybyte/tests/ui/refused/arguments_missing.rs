use everybyte::layout;

#[layout]
struct Record {
    length: u8,
    body: everybyte::Bytes,
}

fn main() {}
