use everybyte::layout;

#[layout]
#[br(map = |raw: u32| Record { value: raw })]
struct Record {
    value: u32,
}

fn main() {}
