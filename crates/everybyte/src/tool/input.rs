//! Files that the tool is given.

use crate::escape::escape;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};

/// The longest file that the tool reads: it is held in memory.
const LONGEST_FILE: u64 = 1 << 30;

/// The bytes of a file of at most 1 GiB, or `None`, with a message on `err`, if it cannot be read.
///
/// # Errors
/// If the message cannot be written.
pub fn read(path: &OsStr, err: &mut dyn Write) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
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

/// A path for people.
pub fn shown(path: &OsStr) -> String {
    escape(&path.to_string_lossy())
}
