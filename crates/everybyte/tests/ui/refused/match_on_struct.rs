use everybyte::layout;

#[layout(match = kind)]
struct Body {
    kind: u8,
}

fn main() {}
