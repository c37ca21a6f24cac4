use everybyte::layout;

#[layout]
struct Record {
    #[layout(at)]
    name: u8,
}

fn main() {}
