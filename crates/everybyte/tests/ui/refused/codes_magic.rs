use everybyte::layout;

#[layout]
#[brw(repr = u8, magic = b"K")]
enum Kind {
    Small = 1,
    Large = 2,
}

fn main() {}
