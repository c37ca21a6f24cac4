use everybyte::layout;

#[layout]
struct Record {
    offset: u32,
    #[layout(at = offset)]
    names: Vec<u16>,
}

fn main() {}
