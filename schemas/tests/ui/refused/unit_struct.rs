use ndbytes_schemas::layout;

#[layout]
struct Nothing;

fn main() {}
