use everybyte::layout;

#[layout]
#[br(import(kind: u8))]
enum Detail {
    #[br(pre_assert(kind == 1))]
    Small(u8),
    #[br(pre_assert(kind == 2))]
    Large { value: u64 },
}

fn main() {}
