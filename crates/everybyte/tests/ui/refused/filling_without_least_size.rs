use everybyte::{Rest, filling, layout};

#[layout]
struct Item {
    rest: Rest,
}

#[layout]
struct List {
    #[br(parse_with = filling(u64::MAX))]
    items: Vec<Item>,
}

fn main() {}
