use everybyte::layout;

#[layout]
struct Record {
    #[br(temp)]
    length: u8,
    other: u8,
}

fn main() {}
