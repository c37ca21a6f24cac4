use everybyte::layout;

#[layout]
struct Header {
    kind: u8,
    #[layout(from = outer::start)]
    padding: everybyte::Align<4>,
}

fn main() {}
