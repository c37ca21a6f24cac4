use everybyte::layout;

#[layout]
struct Record {
    #[br(count = 2)]
    offsets: Vec<u32>,
    #[layout(each(offset in offsets), at = offset)]
    names: u8,
}

fn main() {}
