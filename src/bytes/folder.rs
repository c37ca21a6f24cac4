//! Folders that are read like one file: all of their files come from one writer.

use super::atomic::{clear, leads_to, open_in_place};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The number of times that a folder is opened again after it was replaced meanwhile.
const TRIES: usize = 1000;

/// An open folder. A writer may give its name to another one: this one stays unchanged, and is removed when the last
/// reader closes it.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Holds a lock that all readers share. Where there are no locks, a replaced folder may be removed while it is read;
    /// its files are missing then.
    handle: File,
}

impl Folder {
    /// Opens a folder that may be replaced at the same time.
    pub fn open(path: &Path) -> io::Result<Folder> {
        let path = path.to_owned();
        for _ in 0..TRIES {
            let handle = open_in_place(&fs::canonicalize(&path)?)?;
            // If a writer removes it at this moment, its name leads to another folder already.
            let _ = handle.try_lock_shared();
            if leads_to(&path, &handle)? {
                return Ok(Folder { path, handle });
            }
        }
        Err(io::Error::other("others replace the folder faster than it can be opened"))
    }

    /// The path by which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a file of the folder. Does not follow links, and does not wait for a pipe.
    #[cfg(unix)]
    pub fn open_file(&self, name: &str) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, openat};
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        Ok(openat(&self.handle, name, flags, Mode::empty())?.into())
    }

    /// Opens a file of the folder. Does not follow links.
    #[cfg(not(unix))]
    pub fn open_file(&self, name: &str) -> io::Result<File> {
        let path = self.path.join(name);
        match self.is_link(name) {
            true => Err(io::Error::other("a symbolic link")),
            false => File::open(path),
        }
    }

    /// Returns whether there is a link of this name in the folder.
    #[cfg(unix)]
    pub fn is_link(&self, name: &str) -> bool {
        use rustix::fs::{AtFlags, FileType, statat};
        let found = statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW);
        found.is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::Symlink)
    }

    /// Returns whether there is a link of this name in the folder.
    #[cfg(not(unix))]
    pub fn is_link(&self, name: &str) -> bool {
        fs::symlink_metadata(self.path.join(name)).is_ok_and(|found| found.is_symlink())
    }

    /// The names of its files that are valid text.
    #[cfg(unix)]
    pub fn names(&self) -> io::Result<impl Iterator<Item = io::Result<String>>> {
        let entries = rustix::fs::Dir::read_from(&self.handle)?;
        Ok(entries.filter_map(|entry| match entry {
            Ok(entry) => entry.file_name().to_str().ok().map(|name| Ok(name.to_owned())),
            Err(error) => Some(Err(error.into())),
        }))
    }

    /// The names of its files that are valid text.
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

/// The kind of entry that stands in the folder of a sparse frame where a file should.
pub enum Instead {
    /// No entry has the name.
    Nothing,
    /// A symbolic link.
    Link,
    /// A folder, a pipe, or another entry that is no file.
    NoFile,
}

impl Instead {
    /// The predicate of a sentence about the entry.
    pub fn words(&self) -> &'static str {
        match self {
            Instead::Nothing => "is missing",
            Instead::Link => "is a symbolic link, which is not followed",
            Instead::NoFile => "is not a regular file",
        }
    }
}
