use ndbytes_schemas::layout;

struct Plain {
    value: u32,
}

#[layout]
#[brw(little)]
struct Record {
    tag: u8,
    plain: Plain,
}

fn main() {}
