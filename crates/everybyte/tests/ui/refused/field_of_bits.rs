use everybyte::bits::*;
use everybyte::layout;

#[layout]
struct Record {
    length: B24,
}

fn main() {}
