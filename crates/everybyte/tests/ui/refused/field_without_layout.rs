use everybyte::layout;

struct Plain {
    value: u8,
}

#[layout]
struct Record {
    tag: u8,
    plain: Plain,
    #[br(count = tag)]
    list: Vec<u8>,
}

#[layout]
enum Either {
    #[br(pre_assert(true))]
    One { record: Record },
}

fn main() {}
