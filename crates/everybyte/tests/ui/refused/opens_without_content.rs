use everybyte::layout;

#[layout]
struct Record {
    #[br(count = 3)]
    #[layout(opens(everybyte::packing::Zlib))]
    body: Vec<u8>,
}

fn main() {}
