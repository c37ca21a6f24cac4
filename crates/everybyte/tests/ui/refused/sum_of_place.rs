use everybyte::layout;

#[layout]
struct Record {
    offset: u32,
    #[br(temp)]
    #[layout(check_of = name, sum = everybyte::sums::crc32)]
    crc: u32,
    #[layout(at = offset)]
    name: u8,
}

fn main() {}
