//! The register: one line a format.

use crate::bytes::input::Input;
use crate::envelope::gzip::{self, Inside};
use crate::envelope::zip::{self, Contents};
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::general::UNKNOWN_FORMAT;
use crate::format::{self, Format, foreign};
use crate::options::Settings;
use crate::room::Room;
use everybyte::Source;

/// The formats.
pub(crate) static ROOMS: &[&Room] = &[
    &crate::idx::ROOM,
    &crate::rawarray::ROOM,
    &crate::idv::ROOM,
    &crate::b2nd::ROOM,
    &crate::npy::ROOM,
    #[cfg(test)]
    &crate::toy::ROOM,
];

/// The format of an input, or of the content of a gzip file, whose first bytes are inflated.
pub fn known_format(input: &Input<'_>) -> Option<Format> {
    match gzip::is_packed(input) {
        true => gzip::with_first_bytes(input, |source| format::detect(source.bytes(), source.length())),
        false => format::detect(input.head(), input.length()),
    }
}

/// The input itself or, if it is a gzip file, its content.
///
/// # Errors
/// As for [`gzip::opened`].
pub(crate) fn opened<'i>(input: Input<'i>, settings: &Settings) -> Result<Input<'i>> {
    gzip::opened(input, settings, &|source| inside(source, settings))
}

/// Says how much of the content of a gzip file is wanted, by its first bytes.
pub(crate) fn inside(source: Source<'_>, settings: &Settings) -> Inside {
    let room = format::detect(source.bytes(), source.length()).and_then(room);
    room.map_or(Inside::Unwanted, |room| room.wanted(source, settings))
}

fn room(format: Format) -> Option<&'static Room> {
    ROOMS.iter().find(|room| room.format == format).copied()
}

/// The room that takes the input; `None` if it is of no known format.
pub(crate) fn room_of(input: &Input<'_>) -> Option<&'static Room> {
    known_format(input).and_then(room)
}

pub(crate) use zip::ensure_one_file;

/// The error about an input of unknown format.
pub(crate) fn refusal(input: &Input<'_>) -> Error {
    // An archive inside gzip is none: its members have no addresses.
    let is_one_file = if input.is_unpacked() { Ok(()) } else { ensure_one_file(input) };
    is_one_file.and_then(|()| unknown_format(input)).map_or_else(|error| error, Into::into)
}

/// The finding about an input of unknown format.
///
/// # Errors
/// [`Error::Io`].
pub(crate) fn unknown_format(input: &Input<'_>) -> Result<Finding> {
    if input.is_unpacked() {
        return Ok(unknown_inside(input));
    }
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
    let text = if shown > 0 && foreign::is_text(head) { format!("; {}", foreign::TEXT) } else { String::new() };
    Ok(finding.help(format!("formats are detected by content, not by name; known are {known}{text}")))
}

/// The finding about the content of a gzip file that is of no known format.
fn unknown_inside(content: &Input<'_>) -> Finding {
    let unknown = |message: String| Finding::new(&UNKNOWN_FORMAT, "", 0..0, message);
    match (content.length(), foreign::recognise(content.head())) {
        (0, _) => unknown("the gzip file is empty inside".into()),
        (_, Some((foreign::GZIP, _))) => unknown("the gzip file holds a gzip file: it was packed twice".into())
            .help("unpack it once")
            .found(foreign::GZIP),
        (_, Some((what, help))) => {
            unknown(format!("the gzip file holds {what}, which ndbytes does not read")).help(help)
        }
        _ => unknown("the content of the gzip file has no format that ndbytes reads".into()),
    }
}
