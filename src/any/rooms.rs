//! The register: one line a format.

use crate::bytes::input::Input;
#[cfg(feature = "zip")]
use crate::envelope::zip::{self, Contents};
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::general::UNKNOWN_FORMAT;
use crate::format::{self, Format, foreign, is_gzip, is_zip};
use crate::room::Room;

/// The formats that are built in.
pub(crate) static ROOMS: &[&Room] = &[
    #[cfg(feature = "idx")]
    &crate::idx::ROOM,
    #[cfg(feature = "rawarray")]
    &crate::rawarray::ROOM,
    #[cfg(feature = "idv")]
    &crate::idv::ROOM,
    #[cfg(feature = "b2nd")]
    &crate::b2nd::ROOM,
    #[cfg(feature = "npy")]
    &crate::npy::ROOM,
];

/// The format whose room takes the input; IDX looks into gzip.
pub(crate) fn known_format(input: &Input<'_>) -> Option<Format> {
    let head = input.head();
    if is_gzip(head) { Some(Format::Idx) } else { format::detect(head, input.length()) }
}

/// The room that takes the input; `None` if it is of no format that is built in.
pub(crate) fn room_of(input: &Input<'_>) -> Option<&'static Room> {
    if unbuilt_wrapping(input).is_some() {
        return None;
    }
    let format = known_format(input)?;
    ROOMS.iter().find(|room| room.format == format).copied()
}

/// The kind of file, and the feature that reads it; `None` if that is built in.
fn unbuilt(input: &Input<'_>) -> Option<(String, &'static str)> {
    unbuilt_wrapping(input).or_else(|| {
        let format = known_format(input)?;
        let is_built = ROOMS.iter().any(|room| room.format == format);
        (!is_built).then(|| (format!("{} file", format.with_article()), format.name()))
    })
}

fn unbuilt_wrapping(input: &Input<'_>) -> Option<(String, &'static str)> {
    let head = input.head();
    if !cfg!(feature = "gzip") && is_gzip(head) {
        Some(("gzip-compressed data".into(), "gzip"))
    } else if !cfg!(feature = "zip") && is_zip(head) {
        Some(("a zip archive".into(), "zip"))
    } else {
        None
    }
}

#[cfg(feature = "zip")]
pub(crate) use zip::ensure_one_file;

/// Nothing is an archive that has members: none is looked into.
#[cfg(not(feature = "zip"))]
pub(crate) fn ensure_one_file(_: &Input<'_>) -> Result<()> {
    Ok(())
}

/// The error about an input of unknown format.
pub(crate) fn refusal(input: &Input<'_>) -> Error {
    if let Some((what, feature)) = unbuilt(input) {
        return Error::not_built(what, feature);
    }
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
    if let Some((what, feature)) = unbuilt(input) {
        return Ok(Finding::not_built(&what, feature, 0..shown as u64));
    }
    let finding = match (foreign::recognise(head), shown) {
        (Some((what, help)), _) => {
            let finding = Finding::new(&UNKNOWN_FORMAT, "", 0..shown as u64, format!("this is {what}")).help(help);
            #[cfg(feature = "zip")]
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

#[cfg(test)]
mod tests {
    use crate::bytes::input::Input;
    use crate::bytes::limits::Limits;
    use crate::{Checker, Error};

    /// The beginnings of files, and the feature that reads each.
    const FILES: [(&[u8], &str, bool); 7] = [
        (b"\0\0\x08\x01\0\0\0\x01\x07", "idx", cfg!(feature = "idx")),
        (b"rawarray", "rawarray", cfg!(feature = "rawarray")),
        (b"CML\0DVB\0", "idv", cfg!(feature = "idv")),
        (b"\x9e\xa8b2frame\0", "b2nd", cfg!(feature = "b2nd")),
        (b"\x93NUMPY\x01\0", "npy", cfg!(feature = "npy")),
        (b"\x1f\x8b\x08\0\0\0\0\0\0\xff", "gzip", cfg!(feature = "gzip")),
        (b"PK\x03\x04", "zip", cfg!(feature = "zip")),
    ];

    #[test]
    fn what_is_not_built_in_is_refused_by_name() {
        for (file, feature, is_built) in FILES {
            let input = || Input::from_slice(file, Limits::default());
            let refused = match crate::info(input(), &Limits::default()) {
                Err(Error::NotBuilt { feature, .. }) => Some(feature),
                _ => None,
            };
            assert_eq!(refused, (!is_built).then_some(feature));
            #[cfg(feature = "_formats")]
            match crate::Options::new().from_slice(file) {
                Err(Error::NotBuilt { feature: named, .. }) => assert_eq!((named, is_built), (feature, false)),
                _ => assert!(is_built, "{feature}"),
            }
            let report = Checker::new().check_slice(file).expect("it is in memory");
            let help = format!("turn the feature `{feature}` on");
            let is_named = report.findings().iter().any(|finding| finding.help.as_deref() == Some(&help));
            assert_eq!(is_named, !is_built, "{feature}: {:?}", report.findings());
        }
    }

    #[test]
    fn rules_are_those_of_what_is_built_in() {
        for (_, feature, is_built) in FILES {
            let prefix = format!("{feature}/");
            assert_eq!(crate::rules().any(|rule| rule.id.starts_with(&prefix)), is_built, "{feature}");
        }
    }
}
