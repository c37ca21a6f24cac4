//! Complete valid safetensors files.

use super::super::elements::{Sort, elements};
use super::super::forged_file::{Content, ForgedFile};
use super::super::grid::{axes, extents, room};
use super::file_parts::{Tensor, header, laid_out, with_header};
use everybyte::Endian;
use everybyte::forge::Choices;

/// The name of a type, its length in bytes, how its numbers are chosen, and its item type, which is empty if other types cover it.
type Sorted = (&'static str, u64, Sort, &'static str);

/// The types, with the widest elements first. In this order, all tensors are aligned.
const TYPES: [Sorted; 14] = [
    ("I64", 8, Sort::Plain, "<i8"),
    ("U64", 8, Sort::Plain, "<u8"),
    ("F64", 8, Sort::Float(11), "<f8"),
    ("I32", 4, Sort::Plain, "<i4"),
    ("U32", 4, Sort::Plain, "<u4"),
    ("F32", 4, Sort::Float(8), "<f4"),
    ("I16", 2, Sort::Plain, "<i2"),
    ("U16", 2, Sort::Plain, "<u2"),
    ("F16", 2, Sort::Float(5), "<f2"),
    ("BF16", 2, Sort::Float(8), "bfloat16"),
    ("I8", 1, Sort::Plain, "|i1"),
    ("U8", 1, Sort::Plain, "|u1"),
    ("F8_E4M3", 1, Sort::Plain, ""),
    ("F8_E5M2", 1, Sort::Plain, ""),
];

/// The maximum number of tensors.
const MOST: u64 = 6;

/// Creates a tensor of a type.
fn tensor(choices: &mut Choices<'_>, number: usize, sorted: Sorted, size: usize) -> Tensor {
    let (dtype, width, sort, _) = sorted;
    let axes = axes(choices, 6);
    let room = room(choices, size);
    let shape = extents(choices, axes, width, room);
    let count = shape.iter().product::<u64>() as usize;
    let bytes = elements(choices, sort, width as usize, count, Endian::Little);
    let part = *choices.pick(&["weight", "bias", "running_mean", "", "a b"]);
    Tensor { name: format!("layer.{number}.{part}"), dtype, shape, bytes }
}

/// Creates a file of at most about `size` bytes.
pub(super) fn whole(choices: &mut Choices<'_>, size: usize) -> ForgedFile {
    let number = if choices.one_in(2) { 1 } else { choices.small(MOST) as usize };
    let mut types: Vec<usize> = (0..number).map(|_| choices.index(TYPES.len())).collect();
    types.sort_unstable();
    let each = size / number.max(1);
    let tensors: Vec<Tensor> =
        types.iter().enumerate().map(|(number, &sorted)| tensor(choices, number, TYPES[sorted], each)).collect();
    let (mut entries, data) = laid_out(&tensors);
    if choices.one_in(3) {
        entries.insert(0, r#""__metadata__":{"format":"pt"}"#.to_owned());
    }
    let bytes = with_header(&header(&entries), &data);
    match (&*tensors, &*types) {
        ([tensor], [sorted]) if !TYPES[*sorted].3.is_empty() => {
            let item_type = TYPES[*sorted].3.to_owned();
            ForgedFile::new(
                bytes,
                Content::Array { item_type, shape: tensor.shape.clone(), items: tensor.bytes.clone() },
            )
        }
        _ => ForgedFile::unknown(bytes),
    }
}
