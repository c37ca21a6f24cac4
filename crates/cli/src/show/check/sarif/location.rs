//! Locations of files.

use crate::show::check::from_here::{is_below, uri};
use ndbytes::schemas::blosc2::folder::FRAME_FILE;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The base of relative locations.
pub const ROOT: &str = "%SRCROOT%";

/// Returns the location of a file, relative to the working directory if the file is below it.
pub fn location(file: &Path, index: Option<usize>) -> Value {
    let file = file_in(file);
    let mut location = json!({ "uri": uri(&file) });
    if is_below(&file) {
        location["uriBaseId"] = ROOT.into();
    }
    if let Some(index) = index {
        location["index"] = index.into();
    }
    location
}

/// Returns the file that represents a directory, which is the frame file of a sparse frame.
pub fn file_in(path: &Path) -> PathBuf {
    let frame = path.join(FRAME_FILE);
    if frame.is_file() { frame } else { path.to_owned() }
}
