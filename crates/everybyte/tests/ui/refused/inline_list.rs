use everybyte::layout;

#[layout]
struct List {
    #[br(count = 2)]
    #[layout(inline)]
    numbers: Vec<u16>,
}

fn main() {}
