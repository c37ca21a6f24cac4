use everybyte::layout;

#[layout]
struct Record {
    offset: u32,
    #[layout(at = offset)]
    #[br(assert(name > 0))]
    name: u8,
}

fn main() {}
