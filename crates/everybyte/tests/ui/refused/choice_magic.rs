use everybyte::layout;

#[layout]
#[br(import(kind: u8))]
#[brw(magic = b"D")]
enum Detail {
    #[br(pre_assert(kind == 1))]
    Small { value: u8 },
}

fn main() {}
