use everybyte::layout;

#[layout]
struct Record {
    #[br(count = 3)]
    #[layout(opens(Words as Words))]
    body: Vec<u8>,
}

#[layout]
struct Words {
    first: u8,
}

fn main() {}
