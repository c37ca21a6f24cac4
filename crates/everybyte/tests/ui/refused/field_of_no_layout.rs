use everybyte::layout;

#[binrw::binrw]
#[derive(everybyte::Arbitrary, Debug, Clone, PartialEq, Eq)]
struct Plain {
    value: u8,
}

#[layout]
struct Record {
    tag: u8,
    plain: Plain,
}

fn main() {}
