use everybyte::layout;

#[layout(bits = 16)]
#[brw(big)]
struct Flags {
    low: bool,
    high: everybyte::bits::B15,
}

fn main() {}
