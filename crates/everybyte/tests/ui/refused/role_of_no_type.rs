use everybyte::layout;

#[layout]
struct Record {
    #[layout(extent = Recrod)]
    length: u8,
}

fn main() {}
