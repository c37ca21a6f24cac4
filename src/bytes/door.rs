//! The functions that open files. `clippy.toml` forbids any other way, so code that opens a file states who named it by calling one
//! of these.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Opens a file that the user named. Waits if it is a pipe.
#[expect(clippy::disallowed_methods, reason = "this is the door")]
pub fn named(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Opens a file that another file names, or that is in a directory. Anything other than a regular file is refused, without waiting
/// for pipes. The check is made on the open file, so that another process cannot replace the file in between.
pub fn regular(path: &Path) -> io::Result<File> {
    open(path, true)
}

/// Like `regular`, but also refuses links.
pub fn regular_itself(path: &Path) -> io::Result<File> {
    open(path, false)
}

/// Reads the text of a file; `None` if it is longer than `most` bytes.
///
/// # Errors
/// Any error from the system; [`io::ErrorKind::InvalidData`] if the text is not UTF-8.
pub fn text(mut file: impl Read, most: u64) -> io::Result<Option<String>> {
    let mut text = String::new();
    #[expect(clippy::disallowed_methods, reason = "what is read is bounded")]
    let length = file.by_ref().take(most.saturating_add(1)).read_to_string(&mut text)?;
    Ok((length as u64 <= most).then_some(text))
}

/// Opens a file for reading without blocking. Without `follows_links`, a symbolic link at the end of the path is an error.
fn open(path: &Path, follows_links: bool) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        let flags = OFlags::NONBLOCK | if follows_links { OFlags::empty() } else { OFlags::NOFOLLOW };
        // Opening a device may already trigger an action.
        if !follows_links && !std::fs::symlink_metadata(path)?.is_file() || !std::fs::metadata(path)?.is_file() {
            return Err(not_regular());
        }
        options.custom_flags(flags.bits().cast_signed());
    }
    #[cfg(not(unix))]
    if !follows_links && std::fs::symlink_metadata(path)?.is_symlink() {
        return Err(not_regular());
    }
    let file = options.open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(not_regular()),
    }
}

/// Returns the error for pipes, devices and directories.
fn not_regular() -> io::Error {
    io::Error::other("it is not a regular file")
}
