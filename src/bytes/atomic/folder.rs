//! Folders that appear whole or not at all.

use super::likeness::Likeness;
use super::slot::{ASIDE, MADE, Slot, open};
use super::{beside, present, resolve, sync_folder};
use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The number of times that a writer tries again after others were faster.
const TRIES: usize = 1000;

/// The names of a folder's files.
#[derive(Debug, Clone, Copy)]
pub struct Names {
    /// The name of the file that is always there.
    pub main: &'static str,
    /// Returns whether what has this name in the folder belongs to it, with all that is below.
    pub is_one: fn(&Path, &str) -> bool,
}

/// A folder in the making. It lies beside its target under another name until [`AtomicFolder::commit`]. Dropped before
/// that, it is removed.
#[derive(Debug)]
pub struct AtomicFolder {
    names: Names,
    /// The properties that files take over from the main file of the replaced folder.
    file_before: Option<Likeness>,
    slot: Slot,
}

impl AtomicFolder {
    /// Begins a folder. An existing folder is replaced only if all names in it belong to such folders: unrelated files are
    /// not lost with it.
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

    /// Writes a file in the folder. A name with `/` is one in a folder below it.
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

    /// Writes everything to disk and gives the folder its name.
    pub fn commit(self) -> Result<()> {
        let made = self.made();
        let commit = || {
            // All at once: a system that has to write one of them writes most of the others, too.
            made.read_dir()?.try_for_each(|entry| sync(&entry?.path()))?;
            if let Some(before) = Likeness::of(self.slot.target())? {
                before.give(&File::open(&made)?)?;
            }
            sync_folder(&made);
            self.slot.give(|| self.give_name())
        };
        commit().map_err(|error| Error::io(self.slot.target(), error))?;
        sync_folder(beside(self.slot.target()));
        Ok(())
    }

    fn made(&self) -> PathBuf {
        self.slot.path().join(MADE)
    }

    /// Others may replace, make and remove the target at the same time.
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
        Err(io::Error::other(format!("others replaced the folder {TRIES} times meanwhile")))
    }

    /// Keeps what came into the folder between the last look and the exchange.
    fn ensure_replaced_ours(&self) -> io::Result<()> {
        let (made, target) = (self.made(), self.slot.target());
        match ensure_ours(&made, self.names) {
            Ok(_) => Ok(()),
            Err(error) => exchange(&made, target).and(Err(error)),
        }
    }

    /// Replaces the target in two steps, where the system has no single one. A reader or writer that finds no target
    /// between the two brings back what was put aside.
    fn put_aside(&self) -> io::Result<()> {
        let (made, target, aside) = (self.made(), self.slot.target(), self.slot.path().join(ASIDE));
        fs::rename(target, &aside)?;
        match fs::rename(&made, target) {
            // The old folder is not brought back any more, even if the new one is removed.
            Ok(()) => {
                let _ = fs::rename(&aside, &made);
                Ok(())
            }
            // Another writer was faster, and has replaced it.
            Err(error) if is_taken(&error) => fs::remove_dir_all(&aside).and(Err(error)),
            Err(error) => {
                // If that fails too, the next reader or writer does it.
                let _ = fs::rename(&aside, target);
                Err(error)
            }
        }
    }
}

/// Makes a folder that only the writer can access, and opens it.
fn make_private(path: &Path) -> io::Result<File> {
    #[allow(unused_mut, reason = "elsewhere, there is nothing to set")]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    // Before it was opened and locked, a reader may have taken it for a leftover: as if another writer had the name.
    open(path)
        .map_err(|error| if error.kind() == ErrorKind::NotFound { ErrorKind::AlreadyExists.into() } else { error })
}

/// Fails if the target must not be replaced. Returns whether it exists.
fn ensure_ours(target: &Path, names: Names) -> io::Result<bool> {
    let Some(entries) = present(fs::read_dir(target))? else { return Ok(false) };
    for entry in entries {
        let name = entry?.file_name();
        if !name.to_str().is_some_and(|name| (names.is_one)(target, name)) {
            let what = format!("is a folder that holds something else: {}", name.to_string_lossy());
            return Err(io::Error::new(ErrorKind::InvalidInput, what));
        }
    }
    Ok(true)
}

fn sync(file: &Path) -> io::Result<()> {
    if file.is_dir() {
        file.read_dir()?.try_for_each(|entry| sync(&entry?.path()))?;
        sync_folder(file);
        return Ok(());
    }
    // Windows syncs only files that are open for writing; elsewhere, the mode may forbid that by now.
    File::options().read(true).write(cfg!(windows)).open(file)?.sync_all()
}

/// Lets two folders change places in one step.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Returns whether the system, or the file system, has no such step.
fn is_unsupported(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput)
}

/// Returns whether the error is that the target exists and is not empty.
fn is_taken(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists)
}
