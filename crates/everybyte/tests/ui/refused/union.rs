use everybyte::layout;

#[layout]
union Word {
    whole: u32,
    bytes: [u8; 4],
}

fn main() {}
