use everybyte::layout;

#[layout]
struct Record {
    #[br(temp)]
    #[layout(extent = outer::body)]
    length: u8,
    other: u8,
}

fn main() {}
