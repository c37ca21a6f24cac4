use everybyte::{Leb128, layout};

#[layout]
struct Record {
    #[br(temp)]
    #[layout(extent = body)]
    length: Leb128,
    body: u16,
}

fn main() {}
