use everybyte::layout;

#[layout(match = kind)]
#[br(import(kind: u8))]
enum Body {
    #[when(b"x")]
    Small { value: u8 },
    #[when(_)]
    Large { value: u64 },
}

fn main() {}
