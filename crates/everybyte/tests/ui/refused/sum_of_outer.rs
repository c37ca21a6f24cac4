use everybyte::layout;

#[layout]
struct Record {
    #[br(temp)]
    #[layout(check_of = outer::body, sum = everybyte::sums::crc32)]
    crc: u32,
}

fn main() {}
