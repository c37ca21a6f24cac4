use everybyte::layout;

#[layout]
struct Record {
    #[layout(rule("record/depth", fatal, depth > 0, "it has no depth"))]
    depth: u8,
}

fn main() {}
