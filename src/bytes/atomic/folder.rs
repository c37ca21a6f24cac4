//! Directories that appear completely or not at all.
//!
//! A rename cannot replace a directory that is not empty. Where the system can exchange two names in one call, the new directory
//! and the old one are exchanged, and the old one is then removed. Elsewhere, the old one is moved aside into the slot before the
//! new one gets its name. If a process dies in between, the target is missing until the next reader or writer restores the old one:
//! see [`recover`](super::slot::recover).

use super::likeness::Likeness;
use super::slot::{self, MADE, Slot, open};
use super::{beside, present, resolve, sync_folder};
use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The maximum number of times that a writer retries if others are faster.
const TRIES: usize = 1000;

/// The names of a directory's files.
#[derive(Debug, Clone, Copy)]
pub struct Names {
    /// The name of the file that always exists.
    pub main: &'static str,
    /// Returns whether an entry with this name, along with everything below it, belongs to such a directory.
    pub is_one: fn(&Path, &str) -> bool,
}

/// A directory that replaces its target atomically. It has a temporary name next to the target until [`AtomicFolder::commit`]. If it is
/// dropped before that, it is removed.
#[derive(Debug)]
pub struct AtomicFolder {
    names: Names,
    /// The properties that the new files get from the main file of the replaced directory.
    file_before: Option<Likeness>,
    slot: Slot,
}

impl AtomicFolder {
    /// Starts a directory. An existing directory is replaced only if all names in it belong to such a directory, so that no unrelated files
    /// are lost.
    pub fn create(path: &Path, names: Names) -> Result<Self> {
        let create = || {
            let target = resolve(path)?;
            let is_new = !ensure_ours(&target, names)?;
            let file_before = Likeness::of(&target.join(names.main))?;
            let slot = Slot::take(target, make_private)?;
            let made = slot.path().join(MADE);
            // The final permissions are set by `commit`.
            if is_new {
                fs::create_dir(&made)?
            } else {
                drop(make_private(&made)?)
            }
            Ok(AtomicFolder { names, file_before, slot })
        };
        create().map_err(|error| Error::io(path, error))
    }

    /// Writes a file in the directory. If the name contains `/`, the file is in a subdirectory.
    pub fn put(&mut self, name: &str, parts: &[&[u8]]) -> Result<()> {
        let put = || {
            if let Some((folder, _)) = name.rsplit_once('/') {
                fs::create_dir_all(self.made().join(folder))?;
            }
            let mut options = File::options();
            options.write(true).create_new(true);
            #[cfg(unix)]
            if self.file_before.is_some() {
                std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            }
            let mut file = options.open(self.made().join(name))?;
            parts.iter().try_for_each(|part| file.write_all(part))?;
            self.file_before.as_ref().map_or(Ok(()), |before| before.give(&file))
        };
        put().map_err(|error| Error::io(&self.slot.target().join(name), error))
    }

    /// Syncs everything to disk and gives the directory its name.
    pub fn commit(self) -> Result<()> {
        let made = self.made();
        let commit = || {
            // Everything is synced at the end, because a system that must write one folder also writes most of the others.
            made.read_dir()?.try_for_each(|entry| sync(&entry?.path()))?;
            if let Some(before) = Likeness::of(self.slot.target())? {
                before.give(&open(&made)?)?;
            }
            sync_folder(&made);
            self.slot.give(|| self.give_name())
        };
        commit().map_err(|error| Error::io(self.slot.target(), error))?;
        sync_folder(beside(self.slot.target()));
        Ok(())
    }

    /// The path of the new directory.
    fn made(&self) -> PathBuf {
        self.slot.path().join(MADE)
    }

    /// Gives the directory its name. Other processes may replace, create or remove the target at the same time.
    fn give_name(&self) -> io::Result<()> {
        let (made, target) = (self.made(), self.slot.target());
        for _ in 0..TRIES {
            let is_there = ensure_ours(target, self.names)?;
            let result = match is_there {
                true => match exchange(&made, target) {
                    Ok(()) => return self.ensure_replaced_ours(),
                    Err(error) if is_unsupported(&error) => self.put_aside(),
                    Err(error) => Err(error),
                },
                false => fs::rename(&made, target),
            };
            match result {
                Err(error) if is_there && error.kind() == ErrorKind::NotFound && made.exists() => {}
                Err(error) if is_taken(&error) && made.exists() => {}
                result => return result,
            }
        }
        Err(io::Error::other(format!("other processes replaced the directory {TRIES} times in the meantime")))
    }

    /// Keeps entries that were added to the directory between the last check and the exchange.
    fn ensure_replaced_ours(&self) -> io::Result<()> {
        let (made, target) = (self.made(), self.slot.target());
        match ensure_ours(&made, self.names) {
            Ok(_) => Ok(()),
            Err(error) => exchange(&made, target).and(Err(error)),
        }
    }

    /// Replaces the target in two steps, for systems that cannot do it in one. A reader or writer that finds no target in between
    /// restores the old one.
    fn put_aside(&self) -> io::Result<()> {
        let (made, target) = (self.made(), self.slot.target());
        let aside = slot::put_aside(target, self.slot.path())?;
        match fs::rename(&made, target) {
            // From now on, the old folder is not restored, even if the new one is removed.
            Ok(()) => {
                let _ = fs::rename(&aside, &made);
                Ok(())
            }
            // Another writer was faster and has already created the target.
            Err(error) if is_taken(&error) => fs::remove_dir_all(&aside).and(Err(error)),
            Err(error) => {
                // If that also fails, the next reader or writer restores it.
                let _ = fs::rename(&aside, target);
                Err(error)
            }
        }
    }
}

/// Creates a directory that only the writer can access, and opens it.
fn make_private(path: &Path) -> io::Result<File> {
    #[allow(unused_mut, reason = "elsewhere, there is nothing to set")]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    // A reader may have removed the directory as a leftover before it was opened and locked. Act as if another writer had the name.
    open(path)
        .map_err(|error| if error.kind() == ErrorKind::NotFound { ErrorKind::AlreadyExists.into() } else { error })
}

/// Fails if the target must not be replaced. Returns whether it exists.
fn ensure_ours(target: &Path, names: Names) -> io::Result<bool> {
    let Some(entries) = present(fs::read_dir(target))? else { return Ok(false) };
    for entry in entries {
        let name = entry?.file_name();
        if !name.to_str().is_some_and(|name| (names.is_one)(target, name)) {
            let what = format!("is a directory with other content: {}", name.to_string_lossy());
            return Err(io::Error::new(ErrorKind::InvalidInput, what));
        }
    }
    Ok(true)
}

/// Flushes a file or a directory with all its files to disk, so that the rename does not become durable before the content does.
fn sync(file: &Path) -> io::Result<()> {
    if file.is_dir() {
        file.read_dir()?.try_for_each(|entry| sync(&entry?.path()))?;
        sync_folder(file);
        return Ok(());
    }
    // Windows syncs only files that are open for writing; on other systems, the mode may already forbid that.
    File::options().read(true).write(cfg!(windows)).open(file)?.sync_all()
}

/// Exchanges two directories in one step.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

/// This system cannot exchange two paths atomically.
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Returns whether the error is that the system, or the file system, does not support the operation.
fn is_unsupported(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput)
}

/// Returns whether the error is that the target exists and is not empty.
fn is_taken(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists)
}
