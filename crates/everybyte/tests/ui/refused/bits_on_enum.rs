use everybyte::layout;

#[layout(bits = 8)]
enum Kind {
    Small,
    Large,
}

fn main() {}
