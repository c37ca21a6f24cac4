//! Whole valid RawArray files.

use super::super::elements::{Sort, elements};
use super::super::grid::{Grid, axes, extents, length, room};
use super::super::whole::{Content, Whole};
use super::draft::{Draft, Storage, put_together};
use everybyte::Endian;
use everybyte::forge::Choices;
use ndbytes::{Dtype, ItemType, Kind};
use ndbytes_schemas::rawarray::Eltype;

/// The maximum number of axes of a valid file: readers of NumPy have no more.
const AXES: u64 = 64;

/// The types that no rule warns of.
const KINDS: [Kind; 16] = [
    Kind::U8,
    Kind::I8,
    Kind::I16,
    Kind::I32,
    Kind::I64,
    Kind::I128,
    Kind::U16,
    Kind::U32,
    Kind::U64,
    Kind::U128,
    Kind::F16,
    Kind::Bf16,
    Kind::F32,
    Kind::F64,
    Kind::Complex64,
    Kind::Complex128,
];

/// A type of elements.
pub(crate) fn kind(choices: &mut Choices<'_>) -> Kind {
    if choices.one_in(8) { Kind::Record(choices.from_to(1, 20)) } else { *choices.pick(&KINDS) }
}

/// The class of a type.
pub(crate) fn eltype(kind: Kind) -> Eltype {
    match kind {
        Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64 | Kind::I128 => Eltype::Signed,
        Kind::U8 | Kind::U16 | Kind::U32 | Kind::U64 | Kind::U128 => Eltype::Unsigned,
        Kind::F16 | Kind::F32 | Kind::F64 => Eltype::Float,
        Kind::Complex32 | Kind::Complex64 | Kind::Complex128 => Eltype::Complex,
        Kind::Bool | Kind::Bf16 | Kind::Bit => Eltype::Disputed,
        _ => Eltype::Record,
    }
}

/// The elements of an array.
pub(crate) fn payload(choices: &mut Choices<'_>, kind: Kind, length: u64, endian: Endian) -> Vec<u8> {
    let sort = match kind {
        Kind::F16 | Kind::Complex32 => Sort::Float(5),
        Kind::F32 | Kind::Bf16 | Kind::Complex64 => Sort::Float(8),
        Kind::F64 | Kind::Complex128 => Sort::Float(11),
        Kind::Record(_) => return choices.bytes(length as usize),
        _ => Sort::Plain,
    };
    let width = kind.swapped();
    elements(choices, sort, width as usize, (length / width) as usize, endian)
}

/// An array of a type, in plain storage.
pub(crate) fn array(choices: &mut Choices<'_>, kind: Kind, dims: Vec<u64>) -> Draft {
    let item = kind.size();
    let length = length(&dims, item).unwrap_or(0);
    let payload = payload(choices, kind, length, Endian::Little);
    Draft {
        endian: Endian::Little,
        eltype: eltype(kind),
        is_swapped: false,
        storage: Storage::Plain,
        grid: Grid { dims, item, payload },
        metadata: Vec::new(),
    }
}

/// A valid file.
pub(crate) fn whole(choices: &mut Choices<'_>, size: usize) -> Whole {
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
    // The data are not encoded.
    let bytes = put_together(&draft).unwrap_or_default();
    let item_type = ItemType::from(Dtype::new(kind, Endian::Little)).to_string();
    let shape = draft.grid.dims.iter().rev().copied().collect();
    Whole::new(bytes, Content::Array { item_type, shape, items: draft.grid.payload })
}
