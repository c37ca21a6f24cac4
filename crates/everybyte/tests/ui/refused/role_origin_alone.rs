use everybyte::layout;

#[layout]
#[br(little)]
struct Header {
    #[layout(extent = Record, relative_to = Header)]
    body_length: u32,
}

fn main() {}
