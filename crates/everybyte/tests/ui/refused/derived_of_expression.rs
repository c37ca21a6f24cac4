use everybyte::layout;

#[layout]
struct Record {
    #[br(temp)]
    count: u8,
    #[br(count = count / 2)]
    list: Vec<u16>,
}

fn main() {}
