//! Derives the kind of an archive, which determines its reader, from the names of its entries.

use crate::bytes::input::Input;
use crate::format::Format;
use crate::format::names::{Content, Name};
use everybyte::{Endian, Source, read};
use ndbytes_schemas::zip::LocalHeader;
use std::path::Path;

/// The length of most headers in bytes.
const NEAR: u64 = 256;

/// The last components of the names under which ML.NET stores IDV streams.
const STREAM_NAMES: [&str; 4] = ["Schema", "TrainSchema", "Schema.idv", "DefaultMap.idv"];

/// An entry that every ML.NET model has.
pub(super) const MODEL: &str = "TrainingInfo/Version.txt";

/// The frame in which python-blosc2 stores the small leaves of a store. It does not open an archive without this frame.
pub(crate) const SMALL_LEAVES: &str = "embed.b2e";

/// Returns the format whose reader reads the archive, as implied by the name of the file or by the names of the entries. `None` if
/// they imply several formats, or one that is not read from archives.
pub(super) fn content_of<'n>(path: Option<&Path>, names: impl Iterator<Item = &'n [u8]>) -> Option<Format> {
    if let Some(Content::Archive(format)) = path.and_then(Name::of).map(|name| name.content) {
        return Some(format);
    }
    let (mut found, mut is_store) = (None::<Format>, false);
    for name in names {
        let Some(format) = content_of_entry(name) else { continue };
        if found.is_some_and(|other| other != format) {
            return None;
        }
        found = Some(format);
        is_store |= name == SMALL_LEAVES.as_bytes();
    }
    found.filter(|&format| format != Format::B2nd || is_store)
}

/// Like `content_of`, but for an archive whose directory cannot be read, judging by its first entry.
pub(crate) fn content_at_head(input: &Input<'_>) -> Option<Format> {
    let parse = |source: Source<'_>| read::<LocalHeader>(source, Endian::Little, ());
    let header = input.parse_near(0, NEAR, parse).ok().and_then(Result::ok);
    content_of(input.path(), header.iter().map(|header| header.name.bytes()))
}

/// Returns the format that the name of an entry implies.
fn content_of_entry(name: &[u8]) -> Option<Format> {
    match content_of_name(name) {
        Some(Content::File(format)) => Some(format),
        Some(Content::Frame) => Some(Format::B2nd),
        _ => (is_stream_name(name) || name == MODEL.as_bytes()).then_some(Format::Idv),
    }
}

/// Returns whether ML.NET uses such names only for IDV streams, or python-blosc2 only for frames.
pub(super) fn is_known_name(name: &[u8]) -> bool {
    matches!(content_of_name(name), Some(Content::File(Format::B2nd) | Content::Frame)) || is_stream_name(name)
}

/// Returns whether an entry has the name of an IDV stream in an ML.NET model.
fn is_stream_name(name: &[u8]) -> bool {
    STREAM_NAMES.iter().any(|known| known.as_bytes() == last_part(name))
}

/// Returns the content that the name of an entry implies, unless the name is that of a gzip file.
pub(super) fn content_of_name(name: &[u8]) -> Option<Content> {
    let name = Name::of(&*String::from_utf8_lossy(last_part(name))).filter(|name| !name.is_gzip)?;
    Some(name.content)
}

/// Returns the format of the content of a gzip file, as implied by its name.
pub(super) fn format_inside_gzip(name: &[u8]) -> Option<Format> {
    match Name::of(&*String::from_utf8_lossy(last_part(name))).filter(|name| name.is_gzip)?.content {
        Content::File(format) => Some(format),
        Content::Frame | Content::Archive(_) => None,
    }
}

/// Returns the name of an entry without its directories, which are separated by `/` or `\`.
pub(super) fn last_part(name: &[u8]) -> &[u8] {
    name.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or_default()
}
