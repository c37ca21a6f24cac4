//! Directories that have a format, as opposed to others.

use crate::bytes::input::Input;
use crate::format::names::{Content, Name};
use ndbytes_schemas::blosc2::folder::FRAME_FILE;
use std::path::Path;

/// The file that every store has: the frame in which its small leaves are.
const EMBEDDED: &str = "embed.b2e";

/// Returns whether a path leads to the folder of a store: it holds a file `embed.b2e`.
pub fn is_store(path: impl AsRef<Path>) -> bool {
    path.as_ref().join(EMBEDDED).is_file()
}

/// Returns whether a path leads to a folder that holds a sparse frame: that is opened as one file is.
pub fn is_sparse_frame(path: impl AsRef<Path>) -> bool {
    path.as_ref().join(FRAME_FILE).is_file()
}

/// Returns whether a frame need not be an array. Such a frame is an entry of an archive, or has a name that
/// python-blosc2 gives to the files of its stores. Other files beside it say nothing: who puts one there must not
/// silence a finding.
pub(crate) fn may_be_no_array(input: &Input<'_>) -> bool {
    let name = input.path().and_then(Name::of);
    input.is_entry() || name.is_some_and(|name| name.content == Content::Frame)
}
