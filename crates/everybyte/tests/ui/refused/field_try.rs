use everybyte::layout;

#[layout]
struct Record {
    tag: u8,
    #[br(try)]
    value: u32,
}

fn main() {}
