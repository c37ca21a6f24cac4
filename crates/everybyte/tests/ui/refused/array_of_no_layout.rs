use everybyte::layout;

struct Name;

#[layout]
struct Header {
    names: [Name; 2],
}

fn main() {}
