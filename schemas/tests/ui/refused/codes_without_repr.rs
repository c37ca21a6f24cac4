use ndbytes_schemas::layout;

#[layout]
enum Kind {
    Small = 1,
    Large = 2,
}

fn main() {}
