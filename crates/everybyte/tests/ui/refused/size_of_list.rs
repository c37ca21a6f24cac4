use everybyte::layout;

#[layout]
struct Record {
    length: u8,
    #[br(count = 2)]
    #[layout(size = length)]
    body: Vec<u16>,
}

fn main() {}
