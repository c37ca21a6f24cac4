use everybyte::layout;

#[layout]
struct Record {
    offset: u32,
    #[layout(at = offset)]
    #[br(temp)]
    name: u8,
}

fn main() {}
