//! The picture of a difference.

use crate::commands::page;
use crate::commands::pictures::failure;
use crate::values::open::Failure;
use ndbytes::{Input, Limits};
use ndbytes_compare::diff::Diff;
use ndbytes_pictures::{Drawing, PictureBudget, difference_of};
use std::path::Path;

/// Returns the picture of the differences between two files.
pub fn picture(
    found: &Diff,
    paths: [&Path; 2],
    files: [Option<&Input<'static>>; 2],
    room: PictureBudget,
    limits: Limits,
) -> Result<Drawing, Failure> {
    // A page that is passed on must not reveal directories.
    let [a, b] = paths.map(page::name_of);
    difference_of(found, [&a, &b], files, room, limits).map_err(failure)
}
