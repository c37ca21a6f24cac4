//! `value` alone is for a calculated field.

#[everybyte::layout]
struct Header {
    #[layout(value)]
    number: u8,
}

fn main() {}
