//! A short description of a file of any format.

use super::gzip;
use super::named::bound;
use super::rooms::{refusal, room_of};
use crate::bytes::input::Input;
use crate::bytes::limits::{Deadline, Limits};
use crate::envelope::gzip::is_packed;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::format::info::Info;
use crate::room::Described;

/// Describes a file without reading its payload.
///
/// ```
/// use ndbytes::{Input, Limits, info};
///
/// let info = info(Input::open("samples/trees.idv", Limits::default())?, &Limits::default())?;
/// let table = info.table.unwrap();
/// assert_eq!((table.rows, table.columns[2].r#type.as_str()), (4, "Vector<Single, 3>"));
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// # Errors
/// [`Error::Invalid`](crate::Error::Invalid) if its format is unknown or not that of its name, or if its structure
/// breaks a rule. [`Error::Archive`](crate::Error::Archive) if it is an archive that has members or no entry at all.
/// [`Error::Time`](crate::Error::Time) if [`Limits::time`] is over. [`Error::Io`](crate::Error::Io).
pub fn info(input: Input<'_>, limits: &Limits) -> Result<Info> {
    info_and_warnings(input, limits).map(|(info, _)| info)
}

/// Describes a file as [`info`] does, with the warnings about its structure.
///
/// # Errors
/// As for [`info`].
pub fn info_and_warnings(input: Input<'_>, limits: &Limits) -> Result<(Info, Vec<Finding>)> {
    let input = input.within(*limits);
    input.budget().ensure_time()?;
    let deadline = input.budget().deadline();
    described(input, *limits).map_err(|error| Deadline::told(deadline, error))
}

fn described(input: Input<'_>, limits: Limits) -> Described {
    match is_packed(&input) {
        true => bound(input, |input| gzip::described(input, limits, |content| described_plain(content, limits))),
        false => described_plain(input, limits),
    }
}

fn described_plain(input: Input<'_>, limits: Limits) -> Described {
    bound(input, |input| match room_of(&input) {
        Some(room) => (room.info)(input, limits),
        None => Err(refusal(&input)),
    })
}
