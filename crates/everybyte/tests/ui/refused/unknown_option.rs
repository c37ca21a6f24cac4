use everybyte::layout;

#[layout(packed)]
struct Record {
    value: u32,
}

fn main() {}
