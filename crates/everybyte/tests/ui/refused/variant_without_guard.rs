use everybyte::layout;

#[layout]
#[br(import(kind: u8))]
enum Detail {
    #[br(pre_assert(kind == 1))]
    Small { value: u8 },
    Large { value: u64 },
}

fn main() {}
