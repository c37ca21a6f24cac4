use everybyte::layout;

#[layout]
struct Record {
    tag: u8,
    #[bw(ignore)]
    value: u32,
}

fn main() {}
