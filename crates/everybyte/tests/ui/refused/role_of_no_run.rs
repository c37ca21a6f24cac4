use everybyte::layout;

#[layout]
struct Record {
    kind: u8,
    body: u8,
    #[layout(check_of = "kind..bdoy")]
    sum: u8,
}

fn main() {}
