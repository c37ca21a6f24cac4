use ndbytes_schemas::layout;

#[layout]
struct Table {
    rows: Vec<u32>,
}

fn main() {}
