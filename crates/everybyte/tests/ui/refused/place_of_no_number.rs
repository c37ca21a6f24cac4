use everybyte::layout;

#[layout]
struct Record {
    offset: f32,
    #[layout(at = offset)]
    name: u8,
}

fn main() {}
