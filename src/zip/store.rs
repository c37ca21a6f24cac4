//! Distinguishes directories that have a format from all others.

use crate::bytes::input::Input;
use crate::format::names::{Content, Name};
use ndbytes_schemas::blosc2::folder::FRAME_FILE;
use std::path::Path;

/// The file that every store has, which is a frame that contains the small leaves.
const EMBEDDED: &str = "embed.b2e";

/// Returns whether a path is the directory of a store, which contains a file `embed.b2e`.
pub fn is_store(path: impl AsRef<Path>) -> bool {
    path.as_ref().join(EMBEDDED).is_file()
}

/// Returns whether a path is the directory of a sparse frame, which is opened like a file.
pub fn is_sparse_frame(path: impl AsRef<Path>) -> bool {
    path.as_ref().join(FRAME_FILE).is_file()
}

/// Returns whether a frame need not be an array. Such a frame is an entry of an archive, or has a name that python-blosc2 gives to
/// the files of its stores. Only the file's own name matters, because adding another file must not silence a finding.
pub(crate) fn may_be_no_array(input: &Input<'_>) -> bool {
    let name = input.path().and_then(Name::of);
    input.is_entry() || name.is_some_and(|name| name.content == Content::Frame)
}
