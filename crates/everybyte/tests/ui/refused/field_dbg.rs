use everybyte::layout;

#[layout]
struct Record {
    tag: u8,
    #[br(dbg)]
    value: u32,
}

fn main() {}
