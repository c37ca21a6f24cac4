use everybyte::layout;

#[layout]
struct Record {
    #[br(count = 2)]
    offsets: Vec<u32>,
    #[layout(each(offset in offsets))]
    names: Vec<u8>,
}

fn main() {}
