//! Complete valid RawArray files.

use super::super::elements::{Sort, elements};
use super::super::forged_file::{Content, ForgedFile};
use super::super::grid::{Grid, axes, extents, length, room};
use super::file_parts::{FileParts, Storage, put_together};
use everybyte::Endian;
use everybyte::forge::Choices;
use ndbytes::{Dtype, ElementKind, ItemType};
use ndbytes_schemas::rawarray::Eltype;

/// The maximum number of axes in a valid file. Readers based on NumPy do not support more.
const AXES: u64 = 64;

/// The types that cause no warning.
const KINDS: [ElementKind; 16] = [
    ElementKind::U8,
    ElementKind::I8,
    ElementKind::I16,
    ElementKind::I32,
    ElementKind::I64,
    ElementKind::I128,
    ElementKind::U16,
    ElementKind::U32,
    ElementKind::U64,
    ElementKind::U128,
    ElementKind::F16,
    ElementKind::Bf16,
    ElementKind::F32,
    ElementKind::F64,
    ElementKind::Complex64,
    ElementKind::Complex128,
];

/// Chooses a type of elements.
pub(crate) fn kind(choices: &mut Choices<'_>) -> ElementKind {
    if choices.one_in(8) { ElementKind::Record(choices.from_to(1, 20)) } else { *choices.pick(&KINDS) }
}

/// Returns the class of a type.
pub(crate) fn eltype(kind: ElementKind) -> Eltype {
    match kind {
        ElementKind::I8 | ElementKind::I16 | ElementKind::I32 | ElementKind::I64 | ElementKind::I128 => Eltype::Signed,
        ElementKind::U8 | ElementKind::U16 | ElementKind::U32 | ElementKind::U64 | ElementKind::U128 => {
            Eltype::Unsigned
        }
        ElementKind::F16 | ElementKind::F32 | ElementKind::F64 => Eltype::Float,
        ElementKind::Complex32 | ElementKind::Complex64 | ElementKind::Complex128 => Eltype::Complex,
        ElementKind::Bool | ElementKind::Bf16 | ElementKind::Bit => Eltype::Disputed,
        _ => Eltype::Record,
    }
}

/// Creates the elements of an array.
pub(crate) fn payload(choices: &mut Choices<'_>, kind: ElementKind, length: u64, endian: Endian) -> Vec<u8> {
    let sort = match kind {
        ElementKind::F16 | ElementKind::Complex32 => Sort::Float(5),
        ElementKind::F32 | ElementKind::Bf16 | ElementKind::Complex64 => Sort::Float(8),
        ElementKind::F64 | ElementKind::Complex128 => Sort::Float(11),
        ElementKind::Record(_) => return choices.bytes(length as usize),
        _ => Sort::Plain,
    };
    let width = kind.swapped();
    elements(choices, sort, width as usize, (length / width) as usize, endian)
}

/// Creates an array of a type, in plain storage.
pub(crate) fn array(choices: &mut Choices<'_>, kind: ElementKind, dims: Vec<u64>) -> FileParts {
    let item = kind.size();
    let length = length(&dims, item).unwrap_or(0);
    let payload = payload(choices, kind, length, Endian::Little);
    FileParts {
        endian: Endian::Little,
        eltype: eltype(kind),
        is_swapped: false,
        storage: Storage::Plain,
        grid: Grid { dims, item, payload },
        metadata: Vec::new(),
    }
}

/// Creates a valid file.
pub(crate) fn whole(choices: &mut Choices<'_>, size: usize) -> ForgedFile {
    let kind = kind(choices);
    let axes = axes(choices, AXES);
    let room = room(choices, size.saturating_sub(80));
    let dims = extents(choices, axes, kind.size(), room);
    let mut draft = array(choices, kind, dims);
    match choices.below(8) {
        1 => draft.metadata = b"units: m/s\n".to_vec(),
        2 => {
            let length = choices.from_to(1, 16) as usize;
            draft.metadata = choices.bytes(length);
        }
        _ => {}
    }
    while put_together(&draft).is_some_and(|bytes| bytes.len() > size) && draft.grid.shrink() {}
    // The data is not encoded, so this cannot fail.
    let bytes = put_together(&draft).unwrap_or_default();
    let item_type = ItemType::from(Dtype::new(kind, Endian::Little)).to_string();
    let shape = draft.grid.dims.iter().rev().copied().collect();
    ForgedFile::new(bytes, Content::Array { item_type, shape, items: draft.grid.payload })
}
