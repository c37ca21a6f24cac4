use everybyte::layout;

#[layout]
#[br(import(kind: u8))]
enum Body {
    #[when(1)]
    Small { value: u8 },
}

fn main() {}
