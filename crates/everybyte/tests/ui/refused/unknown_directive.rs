use everybyte::layout;

#[layout]
struct Record {
    #[br(sized = 3)]
    value: u8,
}

fn main() {}
