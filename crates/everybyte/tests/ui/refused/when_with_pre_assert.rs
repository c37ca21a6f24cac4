use everybyte::layout;

#[layout(match = kind)]
#[br(import(kind: u8))]
enum Body {
    #[when(1)]
    #[br(pre_assert(true))]
    Small { value: u8 },
}

fn main() {}
