// Made by `everybyte spec rust` from the specification `codes`.

#[everybyte::layout]
#[brw(big)]
pub struct Codes {
    #[layout(rule("unknown-code", error, kind.name().is_some(), "the value is not defined"))]
    pub kind: Kind,
    pub wide: Kind2,
    pub sign: Sign,
    #[br(if(i128::from(kind.0) == 1))]
    pub is_text: Option<u8>,
}

impl everybyte::Format for Codes {
    const NAME: &'static str = "codes";
}

everybyte::codes! {
    /// The values of `kind`.
    pub struct Kind(u8) {
        /// Nothing at all.
        NONE = 0 => "none";
        /// `text`.
        TEXT = 1 => "text";
    }
}

everybyte::codes! {
    /// The values of `kind`.
    pub struct Kind2(u32) {
        /// Nothing at all.
        NONE = 0 => "none";
        /// `text`.
        TEXT = 1 => "text";
        /// Too wide for a byte.
        WIDE = 4660 => "wide";
    }
}

everybyte::codes! {
    /// The values of `sign`.
    pub struct Sign(i16) {
        /// `minus`.
        MINUS = -1 => "minus";
        /// `plus`.
        PLUS = 1 => "plus";
    }
}
