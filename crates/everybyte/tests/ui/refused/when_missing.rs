use everybyte::layout;

#[layout(match = kind)]
#[br(import(kind: u8))]
enum Body {
    #[when(1)]
    Small { value: u8 },
    Large { value: u64 },
}

fn main() {}
