//! `own` belongs to a sum.

#[everybyte::layout]
struct Header {
    #[layout(own = b' ')]
    sum: u16,
}

fn main() {}
