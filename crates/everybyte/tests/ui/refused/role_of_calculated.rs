use everybyte::layout;

#[layout]
#[brw(little)]
struct Header {
    length: u32,
    #[br(calc = length * 2)]
    #[bw(ignore)]
    #[layout(fact)]
    twice: u32,
}

fn main() {}
