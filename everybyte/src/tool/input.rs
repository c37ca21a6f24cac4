//! Files passed to the tool.
//!
//! The length is limited while reading instead of being checked beforehand, because a device or a pipe has no length.

use crate::escape::escape;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};

/// The maximum length of a file that the tool reads. The whole file is kept in memory.
const LONGEST_FILE: u64 = 1 << 30;

/// Reads a file of at most 1 GiB. If it cannot be read, prints a message to `err` and returns `None`.
///
/// # Errors
/// Fails if the message cannot be written.
pub fn read(path: &OsStr, err: &mut dyn Write) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    #[expect(
        clippy::disallowed_methods,
        reason = "the door of the tool: the user named it, and what is read is bounded"
    )]
    let read = File::open(path).and_then(|file| io::copy(&mut file.take(LONGEST_FILE + 1), &mut bytes));
    match read {
        Ok(length) if length > LONGEST_FILE => {
            writeln!(err, "error: {}: the file has more than {LONGEST_FILE} bytes", shown(path))?;
            Ok(None)
        }
        Ok(_) => Ok(Some(bytes)),
        Err(error) => {
            writeln!(err, "error: {}: {error}", shown(path))?;
            Ok(None)
        }
    }
}

/// Formats a path for display.
pub fn shown(path: &OsStr) -> String {
    escape(&path.to_string_lossy())
}
