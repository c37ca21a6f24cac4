use everybyte::{Ended, Text, Utf8, layout};

#[layout]
struct Note {
    #[layout(examples("{}"))]
    text: Text<Utf8, Ended<0>>,
}

fn main() {}
