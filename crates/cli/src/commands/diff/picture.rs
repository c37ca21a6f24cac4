//! The picture of a difference.

use crate::commands::page;
use crate::commands::pictures::failure;
use crate::values::open::Failure;
use ndbytes::{Input, Limits};
use ndbytes_compare::diff::Diff;
use ndbytes_pictures::{Drawing, Room, difference_of};
use std::path::Path;

/// The picture of what two files differ in.
pub fn picture(
    found: &Diff,
    paths: [&Path; 2],
    files: [Option<&Input<'static>>; 2],
    room: Room,
    limits: Limits,
) -> Result<Drawing, Failure> {
    // A page that travels says nothing of folders.
    let [a, b] = paths.map(page::name_of);
    difference_of(found, [&a, &b], files, room, limits).map_err(failure)
}
