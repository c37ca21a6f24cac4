//! Slots, which are temporary names next to a target that are used until it is complete.
//!
//! The name of a slot is derived from the target's name. It is `.ndbytes-`, a hash of the name, and a number, starting
//! at 0, for concurrent writers. A writer holds a lock on its slot, which the system releases when the process ends for
//! any reason. A slot without a lock was left by a killed writer.

use super::id::{leads_to, mark};
use super::{beside, present};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

/// The minimum number of slots that are searched for leftovers. If at most this many writers of one target are killed at the same
/// time, all leftovers are found.
const LOOKED_AT: u32 = 16;

/// The maximum number of concurrent writers of one target; in practice there are fewer.
const MOST: u32 = 4096;

/// The maximum number of times that a reader waits for a writer that has moved a directory aside. A process that is about to end
/// waits just as long for a writer that is between two steps.
const WAITS: u32 = 100;
/// The time between two attempts to get a lock or a slot.
const WAIT: Duration = Duration::from_millis(10);

/// Inside a slot that is a directory: the new directory, or the replaced one.
pub const MADE: &str = "made";
/// In a slot that is a directory: the name prefix of the directory that was moved aside and has not been replaced yet, followed by
/// its mark. A directory that got there in another way, such as from an archive or a repository, does not have its own mark in its
/// name.
const ASIDE: &str = "aside-";

/// The slots of this process, which are removed before it ends. Room for a slot is allocated before the slot is created, and files
/// are removed without allocating, because the process may be ending for lack of memory.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A slot owned by this writer. On drop, it is removed with its content unless it has become the target.
#[derive(Debug)]
pub struct Slot {
    path: PathBuf,
    target: PathBuf,
    /// Holds the lock until the slot is gone.
    handle: File,
    is_left: bool,
}

impl Slot {
    /// Takes the first free slot of a target. `make` creates and opens a new file or directory with the given name, or
    /// fails with `AlreadyExists`. Before that, removes slots left by dead writers of the same target.
    pub fn take(target: PathBuf, make: impl Fn(&Path) -> io::Result<File>) -> io::Result<Slot> {
        // A signal that ends the process waits until the new slot is known.
        let mut unfinished = unfinished();
        clear_all(&target);
        unfinished.try_reserve(1)?;
        for number in 0..MOST {
            let path = name(&target, number);
            let known = path.clone();
            let handle = match make(&path) {
                Ok(handle) => handle,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            };
            // Another writer may have mistaken the new slot for a leftover before it was locked.
            if matches!(handle.try_lock(), Err(fs::TryLockError::WouldBlock)) {
                continue;
            }
            match leads_to(&path, &handle) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(error) => {
                    // The name may now belong to another writer, so it is checked again.
                    if leads_to(&path, &handle).unwrap_or(false) {
                        remove(&path);
                    }
                    return Err(error);
                }
            }
            unfinished.push(known);
            return Ok(Slot { path, target, handle, is_left: false });
        }
        Err(io::Error::other(format!("{MOST} other processes are writing the same file, the maximum")))
    }

    /// The temporary path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path that the file will have when it is complete.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The open file or directory of the slot.
    pub fn handle(&self) -> &File {
        &self.handle
    }

    /// Gives the target's name to the slot's content. A signal that ends the process waits for this.
    pub fn become_target(mut self) -> io::Result<()> {
        let mut unfinished = unfinished();
        let result = fs::rename(&self.path, &self.target);
        if result.is_ok() {
            // The name of the slot may now belong to another writer.
            forget(&mut unfinished, &self.path);
            self.is_left = true;
        }
        result
    }

    /// Gives the target's name to something in the slot. A signal that ends the process waits for this.
    pub fn give<T>(&self, give: impl FnOnce() -> T) -> T {
        let _unfinished = unfinished();
        give()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if !self.is_left {
            let mut unfinished = unfinished();
            discard(&self.path, &self.target);
            forget(&mut unfinished, &self.path);
        }
    }
}

/// Removes every file and directory that this process has started and not finished.
///
/// Call this first, on a thread that waits for signals, before ending the program because of a signal. From then on, all writers of
/// this crate block forever. Without this call, the next writer of the same target removes the leftovers. Files of a writer that
/// has been between two steps for more than a second are also removed, because it may be unable to continue.
pub fn remove_unfinished() {
    let free = (0..WAITS).find_map(|_| match UNFINISHED.try_lock() {
        Ok(unfinished) => Some(unfinished),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => {
            thread::sleep(WAIT);
            None
        }
    });
    let Some(unfinished) = free else { return };
    for path in unfinished.iter() {
        // A folder that was moved aside is left for the next reader or writer to restore.
        if !path.is_dir() || aside_in(path).is_none() {
            remove(path);
        }
    }
    // The lock is never released, because the process ends now.
    std::mem::forget(unfinished);
}

/// Removes slots of a target that were left by dead writers and have no readers.
pub(crate) fn clear(path: &Path) {
    if let Ok(target) = super::resolve(path) {
        clear_all(&target);
    }
}

/// If a killed writer had moved a directory aside to replace it, and its path is still free, restores the directory. Waits up to a
/// second for a live writer that is between two steps. Returns whether the caller should look again.
pub(crate) fn recover(path: &Path) -> bool {
    let Ok(target) = super::resolve(path) else { return false };
    let mut found = false;
    for slot in (0..LOOKED_AT).map(|number| name(&target, number)).filter(|slot| aside_in(slot).is_some()) {
        found = true;
        for _ in 0..WAITS {
            clear_one(&slot, &target);
            if aside_in(&slot).is_none() {
                break;
            }
            thread::sleep(WAIT);
        }
    }
    found
}

/// Returns the slots that must be removed if the process ends. A panic on another thread does not poison the list.
fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes a slot from the list.
fn forget(unfinished: &mut Vec<PathBuf>, slot: &Path) {
    unfinished.retain(|path| path != slot);
}

fn name(target: &Path, number: u32) -> PathBuf {
    let name = target.file_name().unwrap_or_default().as_encoded_bytes();
    // This is FNV-1a, which is the same in all versions and on all systems, unlike the hashes of the standard library.
    let hash = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = name.iter().fold(0xcbf2_9ce4_8422_2325, hash);
    beside(target).join(format!(".ndbytes-{hash:016x}-{number}"))
}

/// Removes slots left by dead writers.
fn clear_all(target: &Path) {
    for number in 0..MOST {
        let slot = name(target, number);
        match present(fs::symlink_metadata(&slot)) {
            Ok(None) if number >= LOOKED_AT => break,
            Ok(None) => {}
            _ => clear_one(&slot, target),
        }
    }
}

/// Removes a slot, unless its writer is alive or it belongs to another user.
fn clear_one(slot: &Path, target: &Path) {
    if let Ok(handle) = open(slot)
        && is_ours(&handle)
        && handle.try_lock().is_ok()
        && leads_to(slot, &handle).unwrap_or(false)
    {
        discard(slot, target);
    }
}

/// Removes a slot that this process has locked. A directory that was moved aside is moved back first.
fn discard(slot: &Path, target: &Path) {
    if !slot.is_dir() {
        return remove(slot);
    }
    if let (Some(aside), Ok(None)) = (aside_in(slot), present(fs::symlink_metadata(target))) {
        // An existing target is not touched, because a rename does not replace a folder that is not empty.
        let _ = fs::rename(&aside, target);
        if aside.exists() && !target.exists() {
            return;
        }
    }
    remove(slot);
}

/// Removes a file, or a directory with its content. A directory with readers is left to the next writer.
fn remove(slot: &Path) {
    match fs::symlink_metadata(slot) {
        Ok(metadata) if metadata.is_dir() => {
            let folders = [Some(slot.join(MADE)), aside_in(slot)].map(|folder| folder.and_then(|it| open(&it).ok()));
            // The locks are held until the folders are gone, so that no reader starts to read a folder that is being removed.
            let is_read = |folder: &File| matches!(folder.try_lock(), Err(fs::TryLockError::WouldBlock));
            if holds_folders_only(slot) && !folders.iter().flatten().any(is_read) {
                let _ = fs::remove_dir_all(slot);
            }
        }
        Ok(_) => {
            let _ = fs::remove_file(slot);
        }
        Err(_) => {}
    }
}

/// Returns whether a directory was created by a writer, because a user could have given another directory the name of a slot.
fn holds_folders_only(slot: &Path) -> bool {
    let is_name = |name: &str| name == MADE || name.starts_with(ASIDE);
    let is_one = |entry: io::Result<fs::DirEntry>| entry.is_ok_and(|it| it.file_name().to_str().is_some_and(is_name));
    fs::read_dir(slot).is_ok_and(|mut entries| entries.all(is_one))
}

/// Moves a directory aside into a slot. Returns its new path.
pub fn put_aside(folder: &Path, slot: &Path) -> io::Result<PathBuf> {
    let path_of = |folder: &Path| mark(folder).map(|mark| slot.join(format!("{ASIDE}{mark}")));
    let aside = path_of(folder)?;
    fs::rename(folder, &aside)?;
    // Another writer may have replaced it in the meantime.
    let right = path_of(&aside)?;
    if right != aside {
        fs::rename(&aside, &right)?;
    }
    Ok(right)
}

/// Returns the directory that a writer has moved aside in a slot.
fn aside_in(slot: &Path) -> Option<PathBuf> {
    let is_it = |path: &PathBuf| {
        let stated = path.file_name().and_then(|name| name.to_str()?.strip_prefix(ASIDE));
        stated.is_some_and(|stated| mark(path).is_ok_and(|mark| mark == stated))
    };
    // A writer leaves at most two entries in a slot.
    fs::read_dir(slot).ok()?.take(4).flatten().map(|entry| entry.path()).find(is_it)
}

/// Opens a file or directory to lock it. Refuses links and any file that would block when opened.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed());
    }
    #[cfg(windows)]
    {
        // Folders can be opened only with this flag, FILE_FLAG_BACKUP_SEMANTICS.
        std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, 0x0200_0000);
    }
    options.open(path)
}

/// Returns whether a file belongs to the user of this process. In a directory that is writable for all users, anyone can create
/// one.
fn is_ours(file: &File) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        file.metadata().is_ok_and(|metadata| metadata.uid() == rustix::process::geteuid().as_raw())
    }
    #[cfg(not(unix))]
    file.metadata().is_ok()
}
