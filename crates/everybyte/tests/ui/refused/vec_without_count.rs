use everybyte::layout;

#[layout]
struct Table {
    rows: Vec<u32>,
}

fn main() {}
