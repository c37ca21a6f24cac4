// Made by `everybyte spec rust` from the specification `lists`.

#[everybyte::layout]
#[brw(little)]
pub struct Lists {
    pub count: u8,
    #[br(count = count)]
    pub pairs: Vec<Pair>,
    #[br(count = i128::from(count) * 2)]
    pub numbers: Vec<u16>,
    #[br(count = 2)]
    pub names: Vec<everybyte::Text<everybyte::Ascii, everybyte::Ended<0>>>,
    #[br(count = 2)]
    pub bounded: Vec<ListsBoundedElement>,
    #[br(if(i128::from(count) > 3), count = 1, args { inner: (i128::from(count),) })]
    pub sized: Vec<ListsSizedElement>,
    #[br(parse_with = everybyte::until(|it: &Pair| i128::from(it.a) == 0))]
    pub until: Vec<Pair>,
    #[br(parse_with = everybyte::until(|it: &ListsBytesElement| i128::from(it.value) > 99))]
    pub bytes: Vec<ListsBytesElement>,
    #[br(parse_with = everybyte::filling(u64::MAX))]
    pub keys: Vec<[u8; 2]>,
}

impl everybyte::Format for Lists {
    const NAME: &'static str = "lists";
}

#[everybyte::layout]
pub struct ListsBoundedElement {
    #[layout(inline)]
    #[layout(size = 3)]
    pub value: Pair,
}

#[everybyte::layout]
#[br(import(element_size: i128))]
pub struct ListsSizedElement {
    #[layout(inline)]
    #[layout(size = element_size)]
    pub value: Pair,
}

#[everybyte::layout]
pub struct ListsBytesElement {
    #[layout(inline)]
    pub value: u8,
}

#[everybyte::layout]
#[brw(little)]
pub struct Pair {
    pub a: u8,
    pub b: u16,
}
