//! A format whose files contain tensors.

use super::directory::Directory;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::format::Format;
use everybyte::map::Nodes;

/// A format whose files contain tensors.
pub(crate) struct Kind {
    pub format: Format,
    /// What messages call a file of this format.
    pub file: &'static str,
    /// Reads and checks the header of a file.
    pub read: fn(&Input<'_>) -> Result<Directory>,
    /// Returns the fields of the header and of the bytes after it.
    pub fields: fn(&Input<'_>, &Directory) -> Result<Nodes>,
}
