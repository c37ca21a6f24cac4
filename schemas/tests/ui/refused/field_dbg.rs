use ndbytes_schemas::layout;

#[layout]
struct Record {
    tag: u8,
    #[br(dbg)]
    value: u32,
}

fn main() {}
