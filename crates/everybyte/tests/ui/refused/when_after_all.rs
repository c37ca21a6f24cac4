use everybyte::layout;

#[layout(match = kind)]
#[br(import(kind: u8))]
enum Body {
    #[when(_)]
    Small { value: u8 },
    #[when(4)]
    Large { value: u64 },
}

fn main() {}
