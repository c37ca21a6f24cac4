//! The picture of the differences between two files.

use crate::choice::Error;
use crate::difference::difference;
use crate::draw::draw_difference;
use crate::drawing::{Drawing, Medium};
use crate::picture_budget::PictureBudget;
use ndbytes::everybyte::escape;
use ndbytes::{File, Input, Limits, Options};
use ndbytes_compare::diff::Diff;

/// Returns the picture of the differences that [`diff`](ndbytes_compare::diff::diff) found, below the names of the files and the
/// conclusion.
///
/// # Errors
/// [`Error::Refused`] if they are not two arrays of the same shape.
pub fn difference_of(
    found: &Diff,
    names: [&str; 2],
    files: [Option<&Input<'_>>; 2],
    room: PictureBudget,
    limits: Limits,
) -> Result<Drawing, Error> {
    let no_arrays = || Error::Refused("a picture is drawn of two arrays of one shape".into());
    let [Some(a), Some(b)] = files else { return Err(no_arrays()) };
    let (File::Array(one), File::Array(other)) = (read(a, limits)?, read(b, limits)?) else { return Err(no_arrays()) };
    // Identical files need no comparison of values.
    let values = found.values.as_ref();
    let largest = values.and_then(|values| values.largest.absolute.as_ref()).map(|extreme| &extreme.index);
    let first = || values.and_then(|values| values.first.first()).map(|first| &first.index);
    let at = largest.or_else(first).map_or(&[][..], Vec::as_slice);
    let place = (at, values.map_or(&[][..], |values| &values.regions));
    let drawn = difference(&mut *one.items(), &mut *other.items(), place, room, limits)?;
    let [a, b] = names.map(escape);
    let title = format!("A: {a}  B: {b}  {}", found.conclusion());
    Ok(draw_difference(&drawn, &title, Medium::DIFFERENCE))
}

fn read<'i>(input: &'i Input<'_>, limits: Limits) -> ndbytes::Result<File<'i>> {
    Options::new().limits(limits).read(input.again(limits)?)
}
