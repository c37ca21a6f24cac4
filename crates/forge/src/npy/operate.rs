//! Operations on complete `.npy` files.

use super::super::grid::GROWTH;
use super::file_parts::{put_together, take_apart};
use super::{literal, valid};
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
    "item-type",
    "order",
    "version",
    "spelling",
    "literal",
];

/// Performs an operation; returns `None` if it does not apply to the file.
pub(crate) fn operate(operation: &str, file: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
    if operation == "literal" {
        return literal::mutate(file, choices);
    }
    let mut draft = take_apart(file)?;
    match operation {
        "item-type" => {
            draft.descr = valid::draft(choices, 0).descr;
            draft.grid.item = valid::descr_size(&draft.descr);
            draft.grid.fit(file.len() as u64 + GROWTH)?;
        }
        "order" => draft.is_fortran = !draft.is_fortran,
        "version" => {
            let other = choices.from_to(1, 3) as u8;
            draft.major = if other == draft.major { other % 3 + 1 } else { other };
        }
        "spelling" => draft.spelling = valid::draft(choices, 0).spelling,
        operation => draft.grid.operate(operation, i64::MAX as u64, choices)?,
    }
    put_together(&draft)
}
