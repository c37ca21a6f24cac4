//! Files that the user did not name: contracts, partners, and labels of images.

use ndbytes::archive;
use ndbytes::b2nd::is_sparse_frame;
use std::fs;
use std::io;
use std::path::Path;

/// Refuses a file, or the file of an address, if it is outside a directory or may block when it is read.
///
/// # Errors
/// An I/O error, or a sentence about the file.
pub fn ensure(folder: &Path, path: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let file = archive::file_of(path).unwrap_or(path);
    let (real, folder) = (fs::canonicalize(file)?, fs::canonicalize(folder)?);
    if !real.starts_with(&folder) {
        return Err(io::Error::other("a link leads out of the folder, and is not followed"));
    }
    match real.is_file() || is_sparse_frame(&real) {
        true => Ok(()),
        false => Err(io::Error::other("it is not a regular file")),
    }
}
