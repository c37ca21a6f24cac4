use everybyte::layout;

#[layout]
struct Record {
    #[brw(magic = b"REC")]
    value: u32,
}

fn main() {}
