use everybyte::layout;

#[layout]
struct Record {
    offset: u32,
    #[layout(at = offset, relative_to = Table)]
    name: u8,
}

#[layout]
struct Table {
    record: Record,
}

fn main() {}
