use everybyte::layout;

#[layout]
#[brw(magic("PK"))]
struct Record {
    value: u8,
}

fn main() {}
