use everybyte::layout;

#[layout]
struct Record {
    body: u16,
    #[layout(extent = body, sum = everybyte::sums::crc32)]
    crc: u32,
}

fn main() {}
