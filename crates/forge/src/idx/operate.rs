//! Operations on complete IDX files.

use super::super::grid;
use super::file_parts::{put_together, take_apart};
use everybyte::forge::Choices;
use ndbytes_schemas::idx::ElementType;

/// The names of the operations.
pub(crate) static OPERATIONS: &[&str] =
    &["resize", "reshape", "swap-axes", "add-axis", "remove-axis", "empty", "elements", "element-type"];

/// Performs an operation; returns `None` if it does not apply to the file.
pub(crate) fn operate(operation: &str, file: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
    let mut draft = take_apart(file)?;
    if operation == "element-type" {
        let others: Vec<_> = ElementType::ALL.iter().filter(|other| **other != draft.element_type).collect();
        draft.element_type = **choices.pick(&others);
        draft.grid.item = draft.element_type.size();
        draft.grid.fit(file.len() as u64 + grid::GROWTH)?;
    } else {
        draft.grid.operate(operation, u32::MAX.into(), choices)?;
    }
    put_together(&draft)
}
