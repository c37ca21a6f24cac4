use ndbytes_schemas::layout;

#[layout]
union Word {
    whole: u32,
    bytes: [u8; 4],
}

fn main() {}
