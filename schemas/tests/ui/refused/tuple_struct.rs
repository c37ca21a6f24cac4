use ndbytes_schemas::layout;

#[layout]
struct Point(u32, u32);

fn main() {}
