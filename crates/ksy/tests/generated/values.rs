// Made by `everybyte spec rust` from the specification `values`.

#[everybyte::layout]
#[brw(little)]
pub struct Values {
    pub a: u8,
    pub b: i8,
    #[br(count = 2)]
    pub digits: everybyte::Text<everybyte::Ascii>,
    pub share: f32,
    #[br(count = i128::from(a) / 2)]
    pub half: Vec<u8>,
    #[br(count = (i128::from(b) + 128).div_euclid(4).rem_euclid(3))]
    pub quarter: Vec<u8>,
    #[br(count = i128::from(a) & 3 | 1_i128 << 1)]
    pub masked: Vec<u8>,
    #[br(if(i128::from(a) > 4 && !(i128::from(b) == 0 || i128::from(a) == 7)))]
    pub optional: Option<u8>,
    #[br(if(i128::from(a) > 4 && !(i128::from(b) == 0 || i128::from(a) == 7)), count = if i128::from(a) > 4 && !(i128::from(b) == 0 || i128::from(a) == 7) { optional.map_or(i128::MIN, i128::from).rem_euclid(4) } else { 0 })]
    pub more: Vec<u8>,
    #[br(if(digits.text().as_deref() == Some("12")), count = if digits.text().as_deref() == Some("12") { digits.text().as_deref().and_then(|text| text.parse().ok()).unwrap_or(i128::MIN) } else { 0 })]
    pub parsed: Vec<u8>,
    #[br(count = (0 - (i128::from(a) + i128::try_from(half.len()).unwrap_or(i128::MAX) + 2)).rem_euclid(4))]
    pub padding: Vec<u8>,
    pub pair: Pair,
    #[br(count = (i128::from(pair.x) + i128::from(pair.y) * 2) % 5)]
    pub last: Vec<u8>,
}

impl everybyte::Format for Values {
    const NAME: &'static str = "values";
}

#[everybyte::layout]
pub struct Pair {
    pub x: u8,
    pub y: u8,
}
