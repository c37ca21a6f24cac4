//! The picture of a difference.

use crate::commands::page;
use crate::commands::pictures::failure;
use crate::show::text::Shown;
use crate::values::open::Failure;
use ndbytes::{File, Input, Limits};
use ndbytes_compare::diff::Diff;
use ndbytes_pictures::{Drawing, Medium, Room, difference, draw_difference};
use std::path::Path;

/// The room of a picture on a page.
pub const ON_A_PAGE: Room = Room { plane: (200, 600), ..Room::PAGE };

/// The picture of what two files differ in.
pub fn picture(
    found: &Diff,
    paths: [&Path; 2],
    files: [Option<&Input<'static>>; 2],
    room: Room,
    limits: Limits,
) -> Result<Drawing, Failure> {
    let no_arrays = || Failure::Words("a picture is drawn of two arrays of one shape".into());
    let [Some(a), Some(b)] = files else { return Err(no_arrays()) };
    let (File::Array(one), File::Array(other)) = (read(a, limits)?, read(b, limits)?) else { return Err(no_arrays()) };
    // Of identical files, no values are compared.
    let values = found.values.as_ref();
    let largest = values.and_then(|values| values.largest.absolute.as_ref()).map(|extreme| &extreme.index);
    let first = || values.and_then(|values| values.first.first()).map(|first| &first.index);
    let at = largest.or_else(first).map_or(&[][..], Vec::as_slice);
    let place = (at, values.map_or(&[][..], |values| &values.regions));
    let drawn = difference(&mut *one.items(), &mut *other.items(), place, room, limits).map_err(failure)?;
    // A page that travels says nothing of folders.
    let [a, b] = paths.map(|path| Shown(&page::name_of(path)).to_string());
    let title = format!("A: {a}  B: {b}  {}", found.conclusion());
    Ok(draw_difference(&drawn, &title, Medium::DIFFERENCE))
}

fn read<'i>(input: &'i Input<'static>, limits: Limits) -> ndbytes::Result<File<'i>> {
    ndbytes::Options::new().limits(limits).read(input.again(limits)?)
}
