use everybyte::layout;

#[layout]
struct Nothing;

fn main() {}
