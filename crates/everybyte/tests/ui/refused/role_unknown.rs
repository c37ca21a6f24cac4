use everybyte::layout;

#[layout]
#[br(little)]
struct Header {
    #[layout(offset = body)]
    place: u32,
}

fn main() {}
