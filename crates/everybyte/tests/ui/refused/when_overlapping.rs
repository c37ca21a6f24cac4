use everybyte::layout;

#[layout(match = kind)]
#[br(import(kind: u8))]
enum Body {
    #[when(1..=9)]
    Small { value: u8 },
    #[when(4)]
    Large { value: u64 },
    #[when(_)]
    Other { value: u16 },
}

fn main() {}
