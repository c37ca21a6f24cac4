// Made by `everybyte spec rust` from the specification `texts`.

#[everybyte::layout]
pub struct Texts {
    pub length: u8,
    #[br(count = length)]
    pub counted: everybyte::Text,
    pub ended: everybyte::Text<everybyte::Utf8, everybyte::Ended<0>>,
    pub line: everybyte::Text<everybyte::Ascii, everybyte::Ended<10>>,
    pub name: everybyte::Text<everybyte::Latin1, everybyte::ClosedIn<8, 0>>,
    pub padded: everybyte::Text<everybyte::Utf8, everybyte::Padded<6, 32>>,
    #[br(count = length)]
    pub closed: everybyte::Text<everybyte::Utf8, everybyte::Closed<0>>,
    #[br(count = length)]
    pub filled: everybyte::Text<everybyte::Utf8, everybyte::Filled<46>>,
    #[br(count = 4)]
    pub wide: everybyte::Text<everybyte::Utf16Le>,
    pub key: [u8; 4],
    #[br(count = i128::from(length) + 1)]
    #[layout(name = "raw")]
    pub raw_: Vec<u8>,
    #[br(parse_with = everybyte::rest)]
    pub rest: everybyte::Text,
}

impl everybyte::Format for Texts {
    const NAME: &'static str = "texts";
}
