use everybyte::layout;

#[layout]
struct Text<'a> {
    bytes: &'a [u8],
}

fn main() {}
