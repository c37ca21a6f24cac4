use ndbytes_schemas::layout;

#[layout(packed)]
struct Record {
    value: u32,
}

fn main() {}
