use everybyte::layout;

#[layout(bits = 12)]
struct Flags {
    low: everybyte::bits::B4,
    high: everybyte::bits::B8,
}

fn main() {}
