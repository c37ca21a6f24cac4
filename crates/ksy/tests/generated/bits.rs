// Made by `everybyte spec rust` from the specification `bits`.

#[everybyte::layout]
#[brw(big)]
pub struct Bits {
    #[layout(name = "version-size")]
    pub version_to_size: BitsVersionToSize,
    pub between: u8,
    #[layout(name = "first-second")]
    pub first_to_second: BitsFirstToSecond,
    #[br(if(version_to_size.is_long()), count = i128::from(version_to_size.size()))]
    pub body: Vec<u8>,
    pub wide: everybyte::U24,
    pub low: Lowest,
}

impl everybyte::Format for Bits {
    const NAME: &'static str = "bits";
}

#[everybyte::layout(bits = 8)]
pub struct BitsVersionToSize {
    pub size: everybyte::bits::B4,
    pub is_long: bool,
    pub version: everybyte::bits::B3,
}

#[everybyte::layout(bits = 16)]
pub struct BitsFirstToSecond {
    /// Not used.
    pub unused_bits: everybyte::bits::B5,
    pub second: everybyte::bits::B6,
    pub first: everybyte::bits::B5,
}

#[everybyte::layout]
#[brw(little)]
pub struct Lowest {
    #[layout(name = "a-c")]
    pub a_to_c: LowestAToC,
}

#[everybyte::layout(bits = 32)]
pub struct LowestAToC {
    pub a: bool,
    pub b: everybyte::bits::B30,
    pub c: bool,
}
