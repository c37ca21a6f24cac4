//! The types of elements that safetensors has.

use ndbytes::Kind as Element;

/// The types of the format, and what they are called.
pub const TYPES: [(Element, &str); 13] = [
    (Element::Bool, "BOOL"),
    (Element::U8, "U8"),
    (Element::I8, "I8"),
    (Element::U16, "U16"),
    (Element::I16, "I16"),
    (Element::F16, "F16"),
    (Element::Bf16, "BF16"),
    (Element::U32, "U32"),
    (Element::I32, "I32"),
    (Element::F32, "F32"),
    (Element::U64, "U64"),
    (Element::I64, "I64"),
    (Element::F64, "F64"),
];

/// Returns whether the format has these elements.
pub fn has(kind: Element) -> bool {
    TYPES.iter().any(|(known, _)| *known == kind)
}
