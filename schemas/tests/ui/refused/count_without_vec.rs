use ndbytes_schemas::layout;

#[layout]
struct Table {
    length: u8,
    #[br(count = length)]
    name: ndbytes_schemas::NulString,
}

fn main() {}
