use everybyte::{Decimal, each, layout};

#[layout]
struct Entry {
    count: Decimal<4>,
    #[br(parse_with = each(0..count.value(), |_| ()))]
    items: Vec<Item>,
}

#[layout]
struct Item {
    #[br(if(false))]
    byte: Option<u8>,
}

fn main() {}
