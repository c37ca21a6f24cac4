use everybyte::layout;

#[layout]
struct Table {
    length: u8,
    #[br(count = length, map = |bytes: Vec<u8>| bytes.len() as u64)]
    #[bw(map = |length: &u64| vec![0; *length as usize])]
    rows: u64,
}

fn main() {}
