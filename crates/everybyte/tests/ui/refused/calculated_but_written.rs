use everybyte::layout;

#[layout]
struct Record {
    tag: u8,
    #[br(calc = u32::from(tag) + 1)]
    value: u32,
}

fn main() {}
