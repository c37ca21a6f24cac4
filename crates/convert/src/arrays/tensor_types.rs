//! The types of elements that safetensors has.

use ndbytes::ElementKind;

/// The types of the format, and what they are called.
pub const TYPES: [(ElementKind, &str); 13] = [
    (ElementKind::Bool, "BOOL"),
    (ElementKind::U8, "U8"),
    (ElementKind::I8, "I8"),
    (ElementKind::U16, "U16"),
    (ElementKind::I16, "I16"),
    (ElementKind::F16, "F16"),
    (ElementKind::Bf16, "BF16"),
    (ElementKind::U32, "U32"),
    (ElementKind::I32, "I32"),
    (ElementKind::F32, "F32"),
    (ElementKind::U64, "U64"),
    (ElementKind::I64, "I64"),
    (ElementKind::F64, "F64"),
];

/// Returns whether the format has these elements.
pub fn has(kind: ElementKind) -> bool {
    TYPES.iter().any(|(known, _)| *known == kind)
}
