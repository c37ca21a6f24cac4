//! A short description of a file of any format.

use super::drivers::{driver_of, refusal};
use super::gzip;
use super::named::bound;
use crate::bytes::input::Input;
use crate::bytes::limits::{Limits, told};
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::format::info::Info;
use crate::format_driver::Described;
use crate::gzip::is_packed;

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
/// [`Error::Invalid`](crate::Error::Invalid) if its format is unknown or does not match its name, or if its structure
/// breaks a rule. [`Error::Archive`](crate::Error::Archive) if it is an archive that has members or is empty.
/// [`Error::Time`](crate::Error::Time) if [`Limits::time`] is exceeded. [`Error::Io`](crate::Error::Io).
pub fn info(input: Input<'_>, limits: &Limits) -> Result<Info> {
    info_and_warnings(input, limits).map(|(info, _)| info)
}

/// Like [`info`], but also returns the warnings about the structure.
///
/// # Errors
/// As for [`info`].
pub fn info_and_warnings(input: Input<'_>, limits: &Limits) -> Result<(Info, Vec<Finding>)> {
    let input = input.within(*limits);
    input.budget().ensure_time()?;
    let deadline = input.budget().deadline();
    described(input, *limits).map_err(|error| told(deadline, error))
}

/// Describes a file, or the content of a gzip file.
fn described(input: Input<'_>, limits: Limits) -> Described {
    match is_packed(&input) {
        true => bound(input, |input| gzip::described(input, limits, |content| described_plain(content, limits))),
        false => described_plain(input, limits),
    }
}

/// Describes a file that is not compressed.
fn described_plain(input: Input<'_>, limits: Limits) -> Described {
    bound(input, |input| match driver_of(&input) {
        Some(driver) => (driver.info)(input, limits),
        None => Err(refusal(&input)),
    })
}
