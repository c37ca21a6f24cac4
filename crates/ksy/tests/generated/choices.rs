// Made by `everybyte spec rust` from the specification `choices`.

#[everybyte::layout]
pub struct Choices {
    #[br(parse_with = everybyte::until(|it: &Chunk| i128::from(it.kind) == 0))]
    pub chunks: Vec<Chunk>,
    #[br(count = 2)]
    pub tag: everybyte::Text<everybyte::Ascii>,
    #[br(args(match tag.text().as_deref() { Some("u1") => 0, Some("u4") => 1, Some("nm") => 2, _ => -1 }))]
    pub value: ChoicesValue,
    #[br(args(match tag.text().as_deref() { Some("u1") => 0, Some("pt") => 1, _ => -1 }, 4))]
    pub mixed: ChoicesMixed,
}

impl everybyte::Format for Choices {
    const NAME: &'static str = "choices";
}

#[everybyte::layout(match = on)]
#[br(import(on: i128))]
pub enum ChoicesValue {
    /// For `"u1"`.
    #[when(0)]
    U8 {
        #[layout(inline)]
        value: u8,
    },
    /// For `"u4"`.
    #[when(1)]
    U32 {
        #[brw(little)]
        #[layout(inline)]
        value: u32,
    },
    /// For `"nm"`.
    #[when(2)]
    Text {
        #[layout(inline)]
        value: everybyte::Text<everybyte::Ascii, everybyte::Ended<0>>,
    },
    /// For all other values.
    #[when(_)]
    Nothing {},
}

#[everybyte::layout(match = on)]
#[br(import(on: i128, size: i128))]
pub enum ChoicesMixed {
    /// For `"u1"`.
    #[when(0)]
    U8 {
        #[layout(inline)]
        value: u8,
    },
    /// For `"pt"`.
    #[when(1)]
    Point {
        #[layout(inline)]
        #[layout(size = size)]
        value: Point,
    },
    /// For all other values.
    #[when(_)]
    Bytes {
        #[br(count = size)]
        #[layout(inline)]
        value: Vec<u8>,
    },
}

#[everybyte::layout]
pub struct Chunk {
    pub kind: u8,
    pub length: u8,
    #[br(args(i128::from(kind), i128::from(length)))]
    #[layout(size = length)]
    pub body: ChunkBody,
}

#[everybyte::layout(match = on)]
#[br(import(on: i128, length: i128))]
pub enum ChunkBody {
    /// For `1`, `2`.
    #[when(1 | 2)]
    Point {
        #[layout(inline)]
        value: Point,
    },
    /// For `3`.
    #[when(3)]
    Named {
        #[br(args(length))]
        #[layout(inline)]
        value: Named,
    },
    /// For all other values.
    #[when(_)]
    Bytes {
        #[br(parse_with = everybyte::rest)]
        #[layout(inline)]
        value: Vec<u8>,
    },
}

#[everybyte::layout]
pub struct Point {
    pub x: u8,
    pub y: u8,
}

#[everybyte::layout]
#[br(import(length: i128))]
pub struct Named {
    pub first: u8,
    #[br(count = length - 1)]
    pub name: everybyte::Text<everybyte::Ascii>,
}
