use ndbytes_schemas::layout;

#[layout]
struct Record {
    tag: u8,
    #[br(default)]
    value: u32,
}

fn main() {}
