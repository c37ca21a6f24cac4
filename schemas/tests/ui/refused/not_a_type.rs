use ndbytes_schemas::layout;

#[layout]
fn read() {}

fn main() {}
