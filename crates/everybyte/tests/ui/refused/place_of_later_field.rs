use everybyte::layout;

#[layout]
struct Record {
    #[layout(at = offset)]
    name: u8,
    offset: u32,
}

fn main() {}
