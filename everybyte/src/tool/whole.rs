//! New files that are written completely or not at all.
//!
//! A crash or a full disk must not leave a partial file under the requested name, and no existing file may be overwritten by
//! accident. So the bytes are written to a temporary file in the same directory and synced. The file then gets its name in one
//! step, by a hard link. A link fails if the name is taken, whereas a rename would replace the other file.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The maximum number of unfinished files that this process, or a dead process with the same ID, may have left in a directory.
const MOST: u32 = 64;

/// Writes a file that does not exist yet. It has a temporary name in its directory until all of it is on disk.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Err(taken());
    }
    let (part, mut file) = begin(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    // Some systems can neither link nor remove an open file.
    drop(file);
    let placed = written.and_then(|()| place(&part, path, |part, path| fs::hard_link(part, path)));
    match fs::remove_file(&part) {
        // The file was renamed instead of linked.
        Err(error) if error.kind() == ErrorKind::NotFound => placed,
        removed => placed.and(removed),
    }
}

/// Replaces a file with new content. The old file stays intact until the new one is complete.
#[cfg(feature = "page")]
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (part, mut file) = begin(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    written.and_then(|()| fs::rename(&part, path)).inspect_err(|_| drop(fs::remove_file(&part)))
}

fn taken() -> io::Error {
    io::Error::new(ErrorKind::AlreadyExists, "the file exists, and no file is overwritten: name another one")
}

/// Creates a temporary file in the directory of a path and returns the file's path.
fn begin(path: &Path) -> io::Result<(PathBuf, File)> {
    for number in 0..MOST {
        let part = path.with_file_name(format!(".everybyte-{}-{number}.part", std::process::id()));
        match File::create_new(&part) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return made.map(|file| (part, file)),
        }
    }
    let message = format!("its folder has {MOST} unfinished files, the maximum: remove .everybyte-*.part");
    Err(io::Error::other(message))
}

/// Gives a file its final name, unless another file has that name. A link does both in one step. If the file system does not
/// support links, as on a memory card, the name is reserved first. A process that is killed right then leaves an empty file.
fn place(part: &Path, path: &Path, link: impl Fn(&Path, &Path) -> io::Result<()>) -> io::Result<()> {
    let named = match link(part, path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            File::create_new(path).and_then(|_| fs::rename(part, path).inspect_err(|_| drop(fs::remove_file(path))))
        }
        linked => linked,
    };
    named.map_err(|error| if error.kind() == ErrorKind::AlreadyExists { taken() } else { error })
}

#[cfg(test)]
mod tests {
    use super::place;
    use std::fs;
    use std::io::{Error, ErrorKind};

    #[test]
    #[allow(clippy::disallowed_methods, reason = "the test reads its own file")]
    fn a_file_gets_its_name_in_a_folder_that_has_no_links_or_nothing_is_left() {
        let folder = std::env::temp_dir().join(format!("everybyte-whole-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        let [part, path] = ["part", "file"].map(|name| folder.join(name));
        let without_links = || place(&part, &path, |_, _| Err(Error::from(ErrorKind::Unsupported)));
        assert_eq!((without_links().unwrap_err().kind(), path.exists()), (ErrorKind::NotFound, false));
        fs::write(&part, "new").unwrap();
        without_links().unwrap();
        assert_eq!((fs::read(&path).unwrap(), part.exists()), (b"new".to_vec(), false));
        fs::write(&part, "newer").unwrap();
        assert_eq!(without_links().unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"new");
        fs::remove_dir_all(&folder).unwrap();
    }
}
