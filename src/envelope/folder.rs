//! Directories of sparse frames, which contain a frame without chunks, and a file per chunk.

use crate::blosc2::locate::rule_of;
use crate::bytes::folder::Folder;
use crate::bytes::folder::Instead;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::finding::Finding;
use ndbytes_schemas::blosc2::folder::FRAME_FILE;

/// Opens the frame file in the directory of a sparse frame, or returns `None` if it does not exist.
///
/// # Errors
/// [`Error::Invalid`](crate::Error::Invalid) if it is not a regular file (for example, if it is a link).
pub(crate) fn open_frame_file(folder: &Folder, limits: Limits) -> Result<Option<Input<'static>>> {
    match Input::of_folder(folder, FRAME_FILE, limits)? {
        Ok(input) => Ok(Some(input)),
        Err(Instead::Nothing) => Ok(None),
        Err(instead) => {
            let message = format!("the file {FRAME_FILE} {}", instead.words());
            Err(Finding::new(rule_of(&instead), "", 0..0, message).into())
        }
    }
}
