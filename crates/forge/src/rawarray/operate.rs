//! Operations on complete RawArray files.

use super::super::grid::GROWTH;
use super::file_parts::{FileParts, Storage, put_together, take_apart};
use super::valid::{eltype, kind};
use everybyte::Endian;
use everybyte::forge::Choices;

/// The names of the operations.
pub(crate) static OPERATIONS: &[&str] = &[
    "resize",
    "reshape",
    "swap-axes",
    "add-axis",
    "remove-axis",
    "empty",
    "elements",
    "element-type",
    "byte-order",
    "file-order",
    "lz4",
    "metadata",
];

/// Performs an operation; returns `None` if it does not apply to the file.
pub(crate) fn operate(operation: &str, file: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
    let mut draft = take_apart(file)?;
    let is_of_bits = draft.storage == Storage::Bits;
    match operation {
        "byte-order" if draft.endian == Endian::Little => draft.is_swapped = !draft.is_swapped,
        "file-order" => {
            draft.endian = if draft.endian == Endian::Little { Endian::Big } else { Endian::Little };
        }
        "metadata" => metadata(&mut draft, choices),
        _ if is_of_bits => return None,
        "element-type" => {
            let kind = kind(choices);
            draft.eltype = eltype(kind);
            draft.grid.item = kind.size();
            draft.grid.fit(file.len() as u64 + GROWTH)?;
        }
        "lz4" => {
            draft.storage = if draft.storage == Storage::Plain { Storage::Lz4 } else { Storage::Plain };
        }
        operation => draft.grid.operate(operation, i64::MAX as u64, choices)?,
    }
    put_together(&draft)
}

fn metadata(draft: &mut FileParts, choices: &mut Choices<'_>) {
    let length = choices.from_to(1, 32) as usize;
    match choices.below(3) {
        0 => draft.metadata.extend(choices.bytes(length)),
        1 => draft.metadata.truncate(draft.metadata.len() / 2),
        _ => draft.metadata = choices.bytes(length),
    }
}
