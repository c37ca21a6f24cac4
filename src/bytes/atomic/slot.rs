//! Slots: the places beside a target where it is written until it is whole.
//!
//! The name of a slot is made of the target's. It is `.ndbytes-`, a hash of the name, and a number, from 0 on for
//! writers at the same time. A writer holds a lock on its slot, and the system takes the lock back when a process ends,
//! however it ends. A slot without a lock was left by a killed writer.

use super::id::leads_to;
use super::{beside, present};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

/// The minimum number of slots that are searched for leftovers. If this many writers of one target are killed at the
/// same time, all leftovers are found.
const LOOKED_AT: u32 = 16;

/// The maximum number of writers of one target at the same time; in practice there are fewer.
const MOST: u32 = 4096;

/// The number of times, and the time, that a reader waits for a writer that has put a folder aside. The end of a
/// process waits as long for a writer between two steps.
const WAITS: u32 = 100;
const WAIT: Duration = Duration::from_millis(10);

/// In a slot that is a folder: the folder in the making, or the one that was replaced.
pub const MADE: &str = "made";
/// In a slot that is a folder: the one that was put aside and is not replaced yet.
pub const ASIDE: &str = "aside";

/// The slots of this process, for what ends it. Room for a slot is made before the slot, and files are removed without new memory:
/// the process may end because there is none.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A slot of this writer. Dropped, it is removed with its content, unless it has become the target.
#[derive(Debug)]
pub struct Slot {
    path: PathBuf,
    target: PathBuf,
    /// Holds the lock until the slot is gone.
    handle: File,
    is_left: bool,
}

impl Slot {
    /// Takes the first free slot of a target. `make` makes a new file or folder of a name and opens it, or fails with
    /// `AlreadyExists`. First removes slots that dead writers of the same target have left.
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
            // Before it was locked, another writer may have taken it for a leftover.
            if matches!(handle.try_lock(), Err(fs::TryLockError::WouldBlock)) {
                continue;
            }
            match leads_to(&path, &handle) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(error) => {
                    // The name may be another writer's, so it is looked at once more.
                    if leads_to(&path, &handle).unwrap_or(false) {
                        remove(&path);
                    }
                    return Err(error);
                }
            }
            unfinished.push(known);
            return Ok(Slot { path, target, handle, is_left: false });
        }
        Err(io::Error::other(format!("{MOST} others are writing the same file, which is the limit")))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn target(&self) -> &Path {
        &self.target
    }

    /// The file or folder that stands in the slot, open.
    pub fn handle(&self) -> &File {
        &self.handle
    }

    /// Gives the target's name to the slot's content. A signal that ends the process waits for it.
    pub fn become_target(mut self) -> io::Result<()> {
        let mut unfinished = unfinished();
        let result = fs::rename(&self.path, &self.target);
        if result.is_ok() {
            // The name of the slot may be another writer's now.
            forget(&mut unfinished, &self.path);
            self.is_left = true;
        }
        result
    }

    /// Gives the target's name to something in the slot. A signal that ends the process waits for it.
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

/// Removes every file and folder that this process has begun and not finished.
///
/// A program that ends on a signal calls this first, from a thread that waits for signals. All writers of this crate wait
/// forever from then on. Without this call, the next writer of the same target removes what is left. So it does if a writer is
/// between two steps for longer than a second: it may be the one that cannot go on.
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
        // The next reader or writer finds a folder that was put aside.
        if !path.is_dir() || !path.join(ASIDE).exists() {
            remove(path);
        }
    }
    // The lock is never released: the process ends now.
    std::mem::forget(unfinished);
}

/// Removes slots that dead writers of a target have left and that have no readers.
pub(crate) fn clear(path: &Path) {
    if let Ok(target) = super::resolve(path) {
        clear_all(&target);
    }
}

/// Brings back the folder that a killed writer had put aside to replace it, if there is one and its place is free.
/// Waits a second for a living writer, which is between two steps. Returns whether the caller should look again.
pub(crate) fn recover(path: &Path) -> bool {
    let Ok(target) = super::resolve(path) else { return false };
    let mut found = false;
    for slot in (0..LOOKED_AT).map(|number| name(&target, number)).filter(|slot| slot.join(ASIDE).exists()) {
        found = true;
        for _ in 0..WAITS {
            clear_one(&slot, &target);
            if !slot.join(ASIDE).exists() {
                break;
            }
            thread::sleep(WAIT);
        }
    }
    found
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes a slot off the list.
fn forget(unfinished: &mut Vec<PathBuf>, slot: &Path) {
    unfinished.retain(|path| path != slot);
}

fn name(target: &Path, number: u32) -> PathBuf {
    let name = target.file_name().unwrap_or_default().as_encoded_bytes();
    // FNV-1a: the same in all versions and on all systems, unlike the hashes of the standard library.
    let hash = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = name.iter().fold(0xcbf2_9ce4_8422_2325, hash);
    beside(target).join(format!(".ndbytes-{hash:016x}-{number}"))
}

/// Removes slots that dead writers have left.
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

/// Removes a slot, unless its writer lives or it belongs to another user.
fn clear_one(slot: &Path, target: &Path) {
    if let Ok(handle) = open(slot)
        && is_ours(&handle)
        && handle.try_lock().is_ok()
        && leads_to(slot, &handle).unwrap_or(false)
    {
        discard(slot, target);
    }
}

/// Removes a slot that this process has locked. A folder that was put aside first goes back to its place.
fn discard(slot: &Path, target: &Path) {
    if !slot.is_dir() {
        return remove(slot);
    }
    let aside = slot.join(ASIDE);
    if aside.exists() && matches!(present(fs::symlink_metadata(target)), Ok(None)) {
        // A target that exists already is not touched: a rename does not replace a folder that is not empty.
        let _ = fs::rename(&aside, target);
        if aside.exists() && !target.exists() {
            return;
        }
    }
    remove(slot);
}

/// Removes a file, or a folder with its content. A folder with readers stays for the next writer.
fn remove(slot: &Path) {
    match fs::symlink_metadata(slot) {
        Ok(metadata) if metadata.is_dir() => {
            let folders = [slot.join(MADE), slot.join(ASIDE)].map(|folder| open(&folder).ok());
            // The locks are held until the folders are gone: no reader begins with one that is being removed.
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

/// Returns whether a folder was made by a writer: a user could have given the name of a slot to another folder.
fn holds_folders_only(slot: &Path) -> bool {
    let is_one = |entry: io::Result<fs::DirEntry>| {
        entry.is_ok_and(|it| [MADE, ASIDE].iter().any(|name| it.file_name() == *name))
    };
    fs::read_dir(slot).is_ok_and(|mut entries| entries.all(is_one))
}

/// Opens a file or folder to lock it. Refuses links, and files whose opening would block.
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
        // Folders are opened with this flag only: FILE_FLAG_BACKUP_SEMANTICS.
        std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, 0x0200_0000);
    }
    options.open(path)
}

/// Returns whether a file belongs to the user of this process. In a folder that all may write to, anybody can make a
/// name.
fn is_ours(file: &File) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        file.metadata().is_ok_and(|metadata| metadata.uid() == rustix::process::geteuid().as_raw())
    }
    #[cfg(not(unix))]
    file.metadata().is_ok()
}
