// Made by `everybyte spec rust` from the specification `rules`.

#[everybyte::layout]
#[brw(little)]
pub struct Rules {
    #[layout(rule("wrong-magic", error, magic == *b"RULE", "the bytes are not 52 55 4c 45"))]
    pub magic: [u8; 4],
    #[br(if(magic.first().map_or(i128::MIN, |&byte| i128::from(byte)) == 82))]
    #[layout(rule("wrong-magic", error, mark.is_none_or(|it| it == [0x00, 0xff]), "the bytes are not 00 ff"))]
    pub mark: Option<[u8; 2]>,
    #[layout(rule("not-valid", error, i128::from(version) == 3, "the value is not `3`"))]
    pub version: u8,
    #[layout(rule("not-valid", error, i128::from(depth) >= 1 && i128::from(depth) <= 32, "the value is not >= 1 and <= 32"))]
    pub depth: u16,
    #[layout(rule("not-valid", error, i128::from(kind) == 1 || i128::from(kind) == 2 || i128::from(kind) == 5, "the value is none of 1, 2, 5"))]
    pub kind: u8,
    #[layout(rule("not-valid", error, i128::from(even).rem_euclid(2) == 0, "`_ % 2 == 0` does not hold"))]
    pub even: i8,
}

impl everybyte::Format for Rules {
    const NAME: &'static str = "rules";
}
