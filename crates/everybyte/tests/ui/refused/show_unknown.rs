//! Values are shown in base 16, or as they are.

#[everybyte::layout]
struct Header {
    #[layout(show = octal)]
    mode: u16,
}

fn main() {}
