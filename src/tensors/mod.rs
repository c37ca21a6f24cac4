//! The directories of tensor files, which contain the names, types, shapes and positions of the tensors.
//!
//! The code for containers treats such a file as an archive of arrays, whereas its driver treats it as a file of its format.

pub(crate) mod directory;
pub(crate) mod gguf;
mod header;
mod judge;
pub(crate) mod kind;
mod read;
pub(crate) mod rules;

use crate::bytes::input::Input;
use crate::error::Result;
use crate::format::{Format, detect};
use directory::Directory;
use kind::Kind;

/// The tensor formats, one per line.
static KINDS: &[&Kind] = &[&read::KIND, &gguf::KIND];

/// Returns a tensor format; `None` for any other format.
fn kind_of(format: Option<Format>) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| Some(kind.format) == format).copied()
}

/// Returns the tensor format of a file that begins with `head` and has `length` bytes; `None` for any other file.
pub(crate) fn kind_by(head: &[u8], length: u64) -> Option<&'static Kind> {
    kind_of(detect(head, length))
}

/// Returns the format of a tensor file. Any other file is checked as safetensors, which has no magic.
pub(crate) fn kind_or_first(input: &Input<'_>) -> &'static Kind {
    kind_by(input.head(), input.length()).unwrap_or(KINDS[0])
}

impl Directory {
    /// Reads and checks the header of a file.
    ///
    /// # Errors
    /// [`Error::Limit`](crate::Error::Limit); [`Error::Io`](crate::Error::Io); [`Error::Time`](crate::Error::Time).
    pub fn read(input: &Input<'_>) -> Result<Self> {
        (kind_or_first(input).read)(input)
    }
}
