use everybyte::layout;

#[layout(bits = 8)]
struct Flags {
    low: bool,
    high: everybyte::bits::B6,
}

fn main() {}
