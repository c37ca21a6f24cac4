use everybyte::layout;

#[layout]
struct Record {
    #[layout(opens(everybyte::packing::Zlib as u8))]
    body: u32,
}

fn main() {}
