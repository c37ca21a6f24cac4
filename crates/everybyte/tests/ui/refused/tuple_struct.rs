use everybyte::layout;

#[layout]
struct Point(u32, u32);

fn main() {}
