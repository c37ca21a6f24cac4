use everybyte::layout;

#[layout]
struct Record {
    tag: u8,
    #[br(default)]
    value: u32,
}

fn main() {}
