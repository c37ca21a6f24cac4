use everybyte::layout;

#[layout]
struct Record {
    #[layout(extent = bdoy)]
    length: u8,
    #[br(args { length: length.into() })]
    body: everybyte::Bytes,
}

fn main() {}
