//! Files that nobody named: a contract, a partner, labels beside images.

use ndbytes::archive;
use ndbytes::b2nd::is_sparse_frame;
use std::fs;
use std::io;
use std::path::Path;

/// Refuses a file, or that of an address, which is out of a folder, or which reading may wait for. Nobody named it.
///
/// # Errors
/// The system's, and a sentence about the file.
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
