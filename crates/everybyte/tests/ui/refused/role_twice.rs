use everybyte::layout;

#[layout]
#[br(little)]
struct Header {
    #[layout(fact, writer)]
    time: u32,
}

fn main() {}
