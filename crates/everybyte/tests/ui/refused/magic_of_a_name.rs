use everybyte::layout;

const MAGIC: &[u8; 2] = b"PK";

#[layout]
#[brw(magic = MAGIC)]
struct Record {
    value: u8,
}

fn main() {}
