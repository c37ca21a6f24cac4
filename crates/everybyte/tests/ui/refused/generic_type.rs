use everybyte::layout;

#[layout]
struct Pair<T> {
    first: T,
    second: T,
}

fn main() {}
