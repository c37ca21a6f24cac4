//! Directories that are read like a single file, with all of their files from the same writer.
//!
//! A sparse frame is a directory, and a writer may replace it while it is being read. A reader that opened its files by path could
//! combine the header of one frame with the chunks of another. Therefore, the directory itself is opened, its files are opened
//! relative to that handle, and a shared lock tells writers to leave the replaced directory in place until the last reader is done.
//!
//! A directory may come from anyone. Links in it are not followed, and pipes and devices are not opened.

use super::atomic::{clear, leads_to, open_in_place};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The maximum number of times that a directory is opened again because it was replaced in the meantime.
const TRIES: usize = 1000;

/// An open directory. If a writer replaces it, it stays unchanged until the last reader closes it, and is then removed.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Holds a lock that is shared by all readers. On systems without locks, a replaced directory may be removed while it is being
    /// read, so files may be missing.
    handle: File,
}

impl Folder {
    /// Opens a directory that may be replaced concurrently.
    pub fn open(path: &Path) -> io::Result<Folder> {
        let path = path.to_owned();
        for _ in 0..TRIES {
            let handle = open_in_place(&fs::canonicalize(&path)?)?;
            // If a writer is removing the folder at this moment, its name already refers to another one.
            let _ = handle.try_lock_shared();
            if leads_to(&path, &handle)? {
                return Ok(Folder { path, handle });
            }
        }
        Err(io::Error::other("other processes replace the directory faster than it can be opened"))
    }

    /// The path that it was opened with.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a file in the directory. Does not follow links, and refuses pipes and devices with [`io::ErrorKind::InvalidInput`].
    #[cfg(unix)]
    pub fn open_file(&self, name: &str) -> io::Result<File> {
        use rustix::fs::{AtFlags, FileType, Mode, OFlags, openat, statat};
        let found = statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW)?;
        if !matches!(FileType::from_raw_mode(found.st_mode), FileType::RegularFile | FileType::Symlink) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        // Another file may have replaced it by now, and opening that file must not block.
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        Ok(openat(&self.handle, name, flags, Mode::empty())?.into())
    }

    /// Opens a file in the directory. Does not follow links.
    #[cfg(not(unix))]
    pub fn open_file(&self, name: &str) -> io::Result<File> {
        let path = self.path.join(name);
        match self.is_link(name) {
            true => Err(io::Error::other("a symbolic link")),
            false => super::door::regular_itself(&path),
        }
    }

    /// Returns whether the directory contains a link with this name.
    #[cfg(unix)]
    pub fn is_link(&self, name: &str) -> bool {
        use rustix::fs::{AtFlags, FileType, statat};
        let found = statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW);
        found.is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::Symlink)
    }

    /// Returns whether the directory contains a link with this name.
    #[cfg(not(unix))]
    pub fn is_link(&self, name: &str) -> bool {
        fs::symlink_metadata(self.path.join(name)).is_ok_and(|found| found.is_symlink())
    }

    /// The names of its files that are valid Unicode.
    #[cfg(unix)]
    pub fn names(&self) -> io::Result<impl Iterator<Item = io::Result<String>>> {
        let entries = rustix::fs::Dir::read_from(&self.handle)?;
        Ok(entries.filter_map(|entry| match entry {
            Ok(entry) => entry.file_name().to_str().ok().map(|name| Ok(name.to_owned())),
            Err(error) => Some(Err(error.into())),
        }))
    }

    /// The names of its files that are valid Unicode.
    #[cfg(not(unix))]
    pub fn names(&self) -> io::Result<impl Iterator<Item = io::Result<String>>> {
        let entries = fs::read_dir(&self.path)?;
        Ok(entries.filter_map(|entry| entry.map(|entry| entry.file_name().into_string().ok()).transpose()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !leads_to(&self.path, &self.handle).unwrap_or(false) {
            let _ = self.handle.unlock();
            clear(&self.path);
        }
    }
}

/// The kind of entry that the directory of a sparse frame contains in place of an expected file.
pub enum Instead {
    /// No entry with this name.
    Nothing,
    /// A symbolic link.
    Link,
    /// A directory, a pipe, or another entry that is not a file.
    NoFile,
}

impl Instead {
    /// Describes what is wrong with the entry, as the predicate of a sentence.
    pub fn words(&self) -> &'static str {
        match self {
            Instead::Nothing => "is missing",
            Instead::Link => "is a symbolic link, which is not followed",
            Instead::NoFile => "is not a regular file",
        }
    }
}
