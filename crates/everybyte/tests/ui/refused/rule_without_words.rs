use everybyte::layout;

#[layout]
struct Record {
    #[layout(rule("record/depth", error, depth > 0))]
    depth: u8,
}

fn main() {}
