use everybyte::layout;

#[layout]
#[br(import(base: u32))]
struct Record {
    offset: u32,
    #[layout(at = base + offset)]
    name: u8,
}

fn main() {}
