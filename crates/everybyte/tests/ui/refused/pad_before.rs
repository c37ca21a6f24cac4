use everybyte::layout;

#[layout]
struct Record {
    tag: u8,
    #[brw(little, pad_before = 4)]
    value: u32,
}

fn main() {}
