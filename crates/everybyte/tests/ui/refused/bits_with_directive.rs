use everybyte::layout;

#[layout(bits = 8)]
struct Flags {
    low: bool,
    #[br(temp)]
    high: everybyte::bits::B7,
}

fn main() {}
