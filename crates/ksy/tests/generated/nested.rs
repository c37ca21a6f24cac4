// Made by `everybyte spec rust` from the specification `nested`.

#[everybyte::layout]
#[br(import(nesting_level: i128))]
#[br(pre_assert(nesting_level < 64, "structures are nested more than 64 deep"))]
pub struct Nested {
    pub kind: u8,
    #[br(args(i128::from(kind), nesting_level + 1))]
    pub content: NestedContent,
}

#[everybyte::layout]
pub struct NestedFile {
    #[br(args(0))]
    #[layout(inline)]
    pub value: Nested,
}

impl everybyte::Format for NestedFile {
    const NAME: &'static str = "nested";
}

#[everybyte::layout(match = on)]
#[br(import(on: i128, nesting_level: i128))]
pub enum NestedContent {
    /// For `1`.
    #[when(1)]
    Nested {
        #[br(args(nesting_level))]
        #[layout(inline)]
        value: Box<Nested>,
    },
    /// For `2`.
    #[when(2)]
    List {
        #[br(args(nesting_level))]
        #[layout(inline)]
        value: List,
    },
    /// For all other values.
    #[when(_)]
    Nothing {},
}

#[everybyte::layout]
#[br(import(nesting_level: i128))]
#[br(pre_assert(nesting_level < 64, "structures are nested more than 64 deep"))]
pub struct List {
    pub count: u8,
    #[br(count = count, args { inner: (nesting_level + 1,) })]
    pub items: Vec<Nested>,
}
