use everybyte::layout;

#[layout]
struct Empty {
    #[br(if(false))]
    value: Option<u32>,
}

#[layout]
struct Table {
    count: u64,
    #[br(count = count)]
    rows: Vec<Empty>,
}

fn main() {}
