use everybyte::layout;

#[layout]
#[br(little)]
struct Header {
    #[layout(place)]
    body_offset: u32,
}

fn main() {}
