use everybyte::layout;

#[layout(bits = 8)]
union Word {
    whole: u8,
}

fn main() {}
