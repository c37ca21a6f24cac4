//! The register of formats, with one line per format.

use crate::bytes::input::Input;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::general::UNKNOWN_FORMAT;
use crate::format::{self, Format, foreign};
use crate::format_driver::FormatDriver;
use crate::gzip::{self, Inside};
use crate::options::Settings;
use crate::zip::{self, Contents};
use everybyte::Source;

/// The formats.
pub(crate) static DRIVERS: &[&FormatDriver] = &[
    &crate::idx::DRIVER,
    &crate::rawarray::DRIVER,
    &crate::idv::DRIVER,
    &crate::b2nd::DRIVER,
    &crate::npy::DRIVER,
    &crate::safetensors::DRIVER,
    &crate::gguf::DRIVER,
    #[cfg(test)]
    &crate::toy::DRIVER,
];

/// The format of an input or, for a gzip file, of its content. The first bytes of the content are decompressed to detect it.
pub fn known_format(input: &Input<'_>) -> Option<Format> {
    if let Some(declared) = input.declared() {
        return Some(declared.format);
    }
    match gzip::is_packed(input) {
        true => gzip::with_first_bytes(input, |source| format::detect(source.bytes(), source.length())),
        false => format::detect(input.head(), input.length()),
    }
}

/// Returns the input itself or, if it is a gzip file, its content.
///
/// # Errors
/// As for [`gzip::opened`].
pub(crate) fn opened<'i>(input: Input<'i>, settings: &Settings) -> Result<Input<'i>> {
    gzip::opened(input, settings, &|source| inside(source, settings))
}

/// Decides from the first bytes of a gzip file's content how much of it is needed.
pub(crate) fn inside(source: Source<'_>, settings: &Settings) -> Inside {
    let driver = format::detect(source.bytes(), source.length()).and_then(registered);
    driver.map_or(Inside::Unwanted, |driver| driver.wanted(source, settings))
}

/// Returns the driver of a format from the register.
fn registered(format: Format) -> Option<&'static FormatDriver> {
    DRIVERS.iter().find(|driver| driver.format == format).copied()
}

/// Returns the driver for the input; `None` if it is in an unknown format.
pub(crate) fn driver_of(input: &Input<'_>) -> Option<&'static FormatDriver> {
    known_format(input).and_then(registered)
}

pub(crate) use zip::ensure_one_file;

/// Returns the error for an input of unknown format.
pub(crate) fn refusal(input: &Input<'_>) -> Error {
    // An archive inside gzip is not treated as an archive, because its members have no addresses.
    let is_one_file = if input.is_unpacked() { Ok(()) } else { ensure_one_file(input) };
    is_one_file.and_then(|()| unknown_format(input)).map_or_else(|error| error, Into::into)
}

/// Returns the finding about an input of unknown format.
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
        (None, 16..) if foreign::is_blosc_chunk(head, input.length()) => {
            let finding =
                Finding::new(&UNKNOWN_FORMAT, "", 0..shown as u64, "this is a chunk of Blosc without a frame");
            return Ok(finding.help(
                "it does not say what its items are: `blosc2.decompress` gives its bytes, and `numpy.frombuffer` makes an array of them",
            ));
        }
        (None, 0) => Finding::new(&UNKNOWN_FORMAT, "", 0..0, "the file is empty"),
        (None, _) => Finding::new(&UNKNOWN_FORMAT, "", 0..shown as u64, "the format is unknown"),
    };
    let known = Format::ALL.map(Format::title).join(", ");
    let text = if shown > 0 && foreign::is_text(head) { format!("; {}", foreign::TEXT) } else { String::new() };
    Ok(finding.help(format!("formats are detected by content, not by name; ndbytes reads {known}{text}")))
}

/// Returns the finding about the content of a gzip file in an unknown format.
fn unknown_inside(content: &Input<'_>) -> Finding {
    let unknown = |message: String| Finding::new(&UNKNOWN_FORMAT, "", 0..0, message);
    match (content.length(), foreign::recognise(content.head())) {
        (0, _) => unknown("the gzip file contains no data".into()),
        (_, Some((foreign::GZIP, _))) => unknown("the gzip file contains a gzip file: it was compressed twice".into())
            .help("decompress it once")
            .found(foreign::GZIP),
        (_, Some((what, help))) => {
            unknown(format!("the gzip file contains {what}, which ndbytes does not read")).help(help)
        }
        _ => unknown("the gzip file contains data in an unknown format".into()),
    }
}
