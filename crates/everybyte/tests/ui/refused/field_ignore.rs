use everybyte::layout;

#[layout]
struct Record {
    tag: u8,
    #[br(ignore)]
    value: u32,
}

fn main() {}
