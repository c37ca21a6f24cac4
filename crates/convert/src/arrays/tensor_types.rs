//! The element types of the tensor formats.

use ndbytes::ElementKind;
use ndbytes_schemas::gguf::Element;

/// The types of safetensors, and their names.
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

/// The types of GGUF that are not blocks.
pub const GGUF: [(ElementKind, Element); 8] = [
    (ElementKind::F32, Element::F32),
    (ElementKind::F16, Element::F16),
    (ElementKind::Bf16, Element::BF16),
    (ElementKind::F64, Element::F64),
    (ElementKind::I8, Element::I8),
    (ElementKind::I16, Element::I16),
    (ElementKind::I32, Element::I32),
    (ElementKind::I64, Element::I64),
];

/// Returns whether safetensors supports these elements.
pub fn has(kind: ElementKind) -> bool {
    TYPES.iter().any(|(known, _)| *known == kind)
}
