//! Items as digests see them: the bytes of their values in little-endian order, without padding.
//!
//! Two files with the same values may differ in byte order and in padding, and padding may even be garbage from the
//! writer's memory. The canonical form has neither. A structure with overlapping fields is hashed as stored, because
//! an item of a few bytes could take gigabytes if it were written out field by field.

use everybyte::Endian;
use ndbytes::internals::swap_in_place;
use ndbytes::{Dtype, ElementKind, ItemType, Structure, quoted};

/// The bytes of an x87 number that are padding.
const LONG_DOUBLE_PADDING: std::ops::Range<usize> = 10..16;

/// Returns whether fields share bytes. Such an item is hashed as stored, since its fields may add up to far more bytes.
fn overlaps(structure: &Structure) -> bool {
    let fields = structure.fields().iter().map(|field| field.item_type.size());
    fields.fold(0_u64, u64::saturating_add) > structure.size()
}

/// The name of a type, which is the same for both byte orders, and for any field offsets of a structure.
pub fn name(item_type: &ItemType) -> String {
    match item_type {
        // A decoded bit takes a byte.
        ItemType::Plain(Dtype { kind: ElementKind::Bit, .. }) => Dtype::new(ElementKind::Bool, Endian::Little).descr(),
        ItemType::Plain(dtype) => Dtype { endian: Endian::Little, ..*dtype }.descr(),
        ItemType::Structure(structure) if overlaps(structure) => item_type.to_string(),
        ItemType::Structure(structure) => {
            let fields = structure.fields().iter();
            let fields = fields
                .map(|field| format!("({}, {})", quoted(field.name.chars().map(u32::from)), name(&field.item_type)));
            format!("[{}]", fields.collect::<Vec<_>>().join(", "))
        }
        ItemType::Subarray(subarray) => {
            let extents = subarray.shape().iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
            format!("({}, {extents})", name(subarray.item_type()))
        }
    }
}

/// The number of bytes of an item.
pub fn size(item_type: &ItemType) -> u64 {
    match item_type {
        ItemType::Plain(_) => item_type.stride(),
        ItemType::Structure(structure) if overlaps(structure) => structure.size(),
        ItemType::Structure(structure) => structure.fields().iter().map(|field| size(&field.item_type)).sum(),
        ItemType::Subarray(subarray) => subarray.count() * size(subarray.item_type()),
    }
}

/// Returns whether items are already stored in canonical form.
pub fn is_stored_so(item_type: &ItemType) -> bool {
    match item_type {
        ItemType::Plain(dtype) => match dtype.kind {
            ElementKind::LongDouble | ElementKind::ComplexLongDouble => false,
            kind => kind.swapped() == 1 || dtype.endian == Endian::Little,
        },
        ItemType::Structure(structure) => overlaps(structure),
        ItemType::Subarray(subarray) => is_stored_so(subarray.item_type()),
    }
}

/// Appends items that are stored contiguously.
pub fn append(bytes: &[u8], item_type: &ItemType, to: &mut Vec<u8>) {
    match item_type {
        _ if is_stored_so(item_type) => to.extend_from_slice(bytes),
        ItemType::Plain(dtype) => {
            let start = to.len();
            to.extend_from_slice(bytes);
            if dtype.endian == Endian::Big {
                swap_in_place(&mut to[start..], dtype.kind.swapped());
            }
            if matches!(dtype.kind, ElementKind::LongDouble | ElementKind::ComplexLongDouble) {
                to[start..].chunks_exact_mut(16).for_each(|number| number[LONG_DOUBLE_PADDING].fill(0));
            }
        }
        ItemType::Structure(structure) => {
            for item in bytes.chunks_exact((structure.size() as usize).max(1)) {
                for field in structure.fields() {
                    let start = field.offset as usize;
                    append(&item[start..start + field.item_type.size() as usize], &field.item_type, to);
                }
            }
        }
        ItemType::Subarray(subarray) => append(bytes, subarray.item_type(), to),
    }
}
