use everybyte::layout;

#[layout(bits = 8, packed)]
struct Flags {
    value: u8,
}

fn main() {}
