use everybyte::layout;

#[layout]
struct Record {
    #[br(count = 2)]
    offsets: Vec<u32>,
    #[br(count = 2)]
    #[layout(each(offset in offsets), at = offset)]
    names: Vec<u8>,
}

fn main() {}
