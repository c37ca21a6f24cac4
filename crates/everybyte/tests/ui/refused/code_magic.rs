use everybyte::layout;

#[layout]
#[brw(repr = u8)]
enum Kind {
    Small = 1,
    #[brw(magic = 3u8)]
    Large = 2,
}

fn main() {}
