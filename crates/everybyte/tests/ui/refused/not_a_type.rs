use everybyte::layout;

#[layout]
fn read() {}

fn main() {}
