use everybyte::layout;

#[layout]
#[brw(magic)]
struct Record {
    value: u8,
}

fn main() {}
