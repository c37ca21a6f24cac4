// Made by `everybyte spec rust` from the specification `numbers`, Numbers of all types, licence: CC0-1.0.

/// Numbers, each once.
#[everybyte::layout]
#[brw(little)]
pub struct Numbers {
    /// The first one.
    pub a: u8,
    pub b: i8,
    pub c: u16,
    #[brw(big)]
    pub d: i16,
    #[brw(big)]
    pub e: u32,
    pub f: i32,
    pub g: u64,
    #[brw(big)]
    pub h: i64,
    pub i: f32,
    #[brw(big)]
    pub j: f64,
    #[layout(name = "type")]
    pub type_: u8,
}

impl everybyte::Format for Numbers {
    const NAME: &'static str = "numbers";
}
