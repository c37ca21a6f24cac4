use everybyte::layout;

#[layout]
struct Record {
    #[layout(counts = other)]
    count: u8,
    other: u8,
}

fn main() {}
