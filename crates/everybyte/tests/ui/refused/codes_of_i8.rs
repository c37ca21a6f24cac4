use everybyte::layout;

#[layout]
#[brw(repr = i8)]
enum Kind {
    Small = 1,
    Large = 2,
}

fn main() {}
