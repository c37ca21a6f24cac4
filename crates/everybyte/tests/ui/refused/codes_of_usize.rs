use everybyte::layout;

#[layout]
#[brw(repr = usize)]
enum Kind {
    Small = 1,
    Large = 2,
}

fn main() {}
