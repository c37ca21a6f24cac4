use everybyte::layout;

#[layout]
enum Kind {
    Small = 1,
    Large = 2,
}

fn main() {}
