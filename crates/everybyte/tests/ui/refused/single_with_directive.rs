use everybyte::layout;

#[layout]
struct Date(#[br(map = |day: u16| u32::from(day))] u32);

#[layout]
#[br(assert(true))]
struct Time(u32);

#[layout]
#[brw(magic = 7u16)]
struct Mark;

fn main() {}
