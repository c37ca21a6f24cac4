//! The register: one line a format.

use crate::bytes::input::Input;
use crate::envelope::zip::{self, Contents};
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::general::UNKNOWN_FORMAT;
use crate::format::{self, Format, foreign, is_gzip};
use crate::room::Room;

/// The formats.
pub(crate) static ROOMS: &[&Room] =
    &[&crate::idx::ROOM, &crate::rawarray::ROOM, &crate::idv::ROOM, &crate::b2nd::ROOM, &crate::npy::ROOM];

/// The format whose room takes the input; IDX looks into gzip.
pub fn known_format(input: &Input<'_>) -> Option<Format> {
    let head = input.head();
    if is_gzip(head) { Some(Format::Idx) } else { format::detect(head, input.length()) }
}

/// The room that takes the input; `None` if it is of no known format.
pub(crate) fn room_of(input: &Input<'_>) -> Option<&'static Room> {
    let format = known_format(input)?;
    ROOMS.iter().find(|room| room.format == format).copied()
}

pub(crate) use zip::ensure_one_file;

/// The error about an input of unknown format.
pub(crate) fn refusal(input: &Input<'_>) -> Error {
    match ensure_one_file(input) {
        Err(error) => error,
        Ok(()) => unknown_format(input).map_or_else(|error| error, Into::into),
    }
}

/// The finding about an input of unknown format.
///
/// # Errors
/// [`Error::Io`].
pub(crate) fn unknown_format(input: &Input<'_>) -> Result<Finding> {
    let head = input.head();
    let shown = head.len().min(16);
    let finding = match (foreign::recognise(head), shown) {
        (Some((what, help)), _) => {
            let finding = Finding::new(&UNKNOWN_FORMAT, "", 0..shown as u64, format!("this is {what}")).help(help);
            if zip::is_archive(input) {
                return match Contents::read(input) {
                    Ok(contents) => Ok(finding.help(contents.help())),
                    Err(Error::Invalid(found)) => Ok(*found),
                    Err(error @ (Error::Limit { .. } | Error::Time { .. })) => Ok(Finding::limit(&error)),
                    Err(error) => Err(error),
                };
            }
            return Ok(finding);
        }
        (None, 0) => Finding::new(&UNKNOWN_FORMAT, "", 0..0, "the file is empty"),
        (None, _) => Finding::new(&UNKNOWN_FORMAT, "", 0..shown as u64, "the content has no format that ndbytes reads"),
    };
    let known = Format::ALL.map(Format::title).join(", ");
    Ok(finding.help(format!("formats are told by content, not by name; known are {known}")))
}
