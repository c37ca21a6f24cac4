use everybyte::layout;

#[layout]
#[brw(repr = u8)]
enum Kind {}

fn main() {}
