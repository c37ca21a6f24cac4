use everybyte::layout;

#[layout]
struct Table {
    length: u8,
    #[br(count = length)]
    name: everybyte::NulString,
}

fn main() {}
