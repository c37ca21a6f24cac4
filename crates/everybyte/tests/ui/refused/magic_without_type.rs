use everybyte::layout;

#[layout]
#[brw(magic = 0x2051)]
struct Record {
    value: u8,
}

fn main() {}
