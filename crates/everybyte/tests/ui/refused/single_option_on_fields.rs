use everybyte::layout;

#[layout(meaning = "a point")]
struct Point {
    x: u8,
}

fn main() {}
