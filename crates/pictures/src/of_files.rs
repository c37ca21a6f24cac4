//! The picture of what two files differ in.

use crate::choice::Error;
use crate::difference::difference;
use crate::draw::draw_difference;
use crate::drawing::{Drawing, Medium};
use crate::room::Room;
use ndbytes::everybyte::escape;
use ndbytes::{File, Input, Limits, Options};
use ndbytes_compare::diff::Diff;

/// The picture of what two files differ in, as [`diff`](ndbytes_compare::diff::diff) has found, below their names and the
/// conclusion.
///
/// # Errors
/// [`Error::Refused`] if they are not two arrays of one shape.
pub fn difference_of(
    found: &Diff,
    names: [&str; 2],
    files: [Option<&Input<'_>>; 2],
    room: Room,
    limits: Limits,
) -> Result<Drawing, Error> {
    let no_arrays = || Error::Refused("a picture is drawn of two arrays of one shape".into());
    let [Some(a), Some(b)] = files else { return Err(no_arrays()) };
    let (File::Array(one), File::Array(other)) = (read(a, limits)?, read(b, limits)?) else { return Err(no_arrays()) };
    // Of identical files, no values are compared.
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
