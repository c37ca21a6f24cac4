use everybyte::layout;

#[layout]
struct Record {
    #[br(= 3)]
    value: u8,
}

fn main() {}
