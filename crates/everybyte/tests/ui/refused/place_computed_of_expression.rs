use everybyte::layout;

#[layout]
struct Record {
    #[br(temp)]
    offset: u32,
    #[layout(at = offset * 512)]
    name: u8,
}

fn main() {}
