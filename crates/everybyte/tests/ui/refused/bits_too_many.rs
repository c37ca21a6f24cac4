use everybyte::layout;

#[layout(bits = 16)]
struct Flags {
    low: everybyte::bits::B8,
    high: everybyte::bits::B9,
}

fn main() {}
