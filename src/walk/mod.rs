//! The walk: which files there are below folders. Tool, library, Python package and SQL ask this one.
//!
//! ```
//! # let folder = tempfile::tempdir().unwrap();
//! # std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/samples/surface.ra"), folder.path().join("surface.ra")).unwrap();
//! # let folder = folder.path();
//! use ndbytes::walk::{Options, Walk};
//!
//! let mut walk = Walk::of_path(folder, Options::new());
//! for found in walk.by_ref() {
//!     println!("{}", found?.path.display());
//! }
//! println!("skipped: {}", walk.passed());
//! # Ok::<(), ndbytes::walk::Problem>(())
//! ```
//!
//! # What a walk finds
//!
//! * Everything below a folder but what is called `.git`, in the order of the names. Hidden files are found as others are, and
//!   no file in a folder hides another one. [`Options::gitignore`] turns ripgrep's rules on.
//! * A path that is named and is no folder is found as it is, even if nothing is there. The code that opens it meets
//!   the error.
//! * The folder of a sparse frame is one file. The folder of a store is walked.
//! * A link to a file is that file, under the name of the link. A link to a folder is skipped, unless it is named: so no walk
//!   goes in circles.
//! * A folder that cannot be listed, a link to nothing, a pipe, a socket and a device are [`Problem`]s.
//! * Names need not be UTF-8.
//! * An URL that the [`stores`] of this process serve is one file. A folder of an object store, or another URL that
//!   stands for several, is walked. Everything below it but `.git` is found, in the order of the names.
//! * The names in the folders that are open at a time stay within [`Limits::memory`]. A folder with more of them is a problem.
//!   The system bounds the length of a path, and with it the depth.
//!
//! Skipped entries are counted: [`Walk::passed`].

mod ignored;
mod options;
mod passed;

use crate::bytes::limits::Limits;
use crate::bytes::stores;
use crate::envelope::store::is_sparse_frame;
use ignored::{Kept, endless};
use ndbytes_schemas::blosc2::folder::FRAME_FILE;
pub use options::{BadGlob, Options};
pub use passed::Passed;
use std::ffi::OsString;
use std::fs::{self, FileType};
use std::path::{Path, PathBuf};
use std::{fmt, io, vec};

/// The folder of a repository's history, which no walk enters.
const HISTORY: &str = ".git";

/// A path from which a walk starts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Start {
    /// The path.
    pub path: PathBuf,
    /// True if the user named it. A file of no known format is an error then.
    pub is_named: bool,
}

impl Start {
    /// A path that the user named.
    pub fn named(path: impl Into<PathBuf>) -> Self {
        Start { path: path.into(), is_named: true }
    }

    /// A path from a list, which may have files of any format.
    pub fn listed(path: impl Into<PathBuf>) -> Self {
        Start { path: path.into(), is_named: false }
    }
}

/// A file that a walk has found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// Its path: that of the start, and the way from there.
    pub path: PathBuf,
    /// True if the user named it: see [`Start`].
    pub is_named: bool,
    /// True if it is where the walk started, not a file in a folder.
    pub is_start: bool,
}

/// A path that is no file to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The path, if it is known.
    pub path: Option<PathBuf>,
    /// The reason, in the words of the system if they come from there.
    pub reason: String,
}

impl Problem {
    /// A problem with a path.
    pub fn at(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        Problem { path: Some(path.into()), reason: reason.into() }
    }

    /// A problem with what gives the paths.
    pub fn of_list(reason: impl Into<String>) -> Self {
        Problem { path: None, reason: reason.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}: ", path.display())?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Problem {}

/// The starts of a walk, one path after the other, or the problem of a path.
pub type Starts<'s> = Box<dyn Iterator<Item = Result<Start, Problem>> + Send + 's>;

/// The files below paths, in order: the paths as they are given, and in each folder the files in the order of their names.
pub struct Walk<'s> {
    starts: Starts<'s>,
    options: Options,
    /// The folders on the way, the outermost first.
    open: Vec<Level>,
    /// The URLs that are left of a folder of a store.
    listed: vec::IntoIter<String>,
    /// Bytes of the names in them.
    held: u64,
    passed: Passed,
}

/// A folder that is open.
struct Level {
    folder: PathBuf,
    entries: vec::IntoIter<Entry>,
    held: u64,
}

/// An entry of a folder.
struct Entry {
    name: OsString,
    kind: io::Result<FileType>,
    /// False if ripgrep's rules leave it out.
    is_kept: bool,
}

impl Walk<'static> {
    /// The files at a path that the user named.
    pub fn of_path(path: impl Into<PathBuf>, options: Options) -> Self {
        Walk::new(Box::new(std::iter::once(Ok(Start::named(path)))), options)
    }
}

impl<'s> Walk<'s> {
    /// The files at the paths of a list, which may have any length.
    pub fn new(starts: Starts<'s>, options: Options) -> Self {
        Walk { starts, options, open: Vec::new(), listed: Vec::new().into_iter(), held: 0, passed: Passed::default() }
    }

    /// The entries that were skipped so far.
    pub fn passed(&self) -> Passed {
        self.passed
    }

    /// Opens a folder.
    fn enter(&mut self, folder: PathBuf) -> Result<(), Problem> {
        if let Some(problem) = self.options.gitignore.then(|| endless(&folder)).flatten() {
            return Err(problem);
        }
        let at_folder = |error: io::Error| Problem::at(&folder, error.to_string());
        let kept = self.options.gitignore.then(|| Kept::of(&folder, &self.options)).transpose()?;
        let (mut entries, mut held) = (Vec::new(), 0);
        for entry in fs::read_dir(&folder).map_err(at_folder)? {
            let entry = entry.map_err(at_folder)?;
            let name = entry.file_name();
            held += (size_of::<Entry>() + name.len()) as u64;
            ensure_room(&folder, self.held + held, self.options.limits)?;
            let is_kept = kept.as_ref().is_none_or(|kept| kept.contains(&name));
            entries.push(Entry { name, kind: entry.file_type(), is_kept });
        }
        entries.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        self.held += held;
        self.open.push(Level { folder, entries: entries.into_iter(), held });
        Ok(())
    }

    /// The file that an entry of a folder is, if it is one to be read.
    fn meet(&mut self, entry: Entry, path: PathBuf) -> Option<Result<PathBuf, Problem>> {
        if entry.name == HISTORY {
            self.passed.git += 1;
            return None;
        }
        let kind = match entry.kind {
            Ok(kind) => kind,
            Err(error) => return Some(Err(Problem::at(path, error.to_string()))),
        };
        let is_frame = kind.is_dir() && is_sparse_frame(&path);
        // Globs are about files: they may name the folder of a frame, or the file in it.
        let is_wanted = match is_frame {
            true => self.options.takes(&path, false) || self.options.takes(&path.join(FRAME_FILE), false),
            false => self.options.takes(&path, kind.is_dir()),
        };
        if !is_wanted {
            self.passed.globs += 1;
            return None;
        }
        if !entry.is_kept {
            self.passed.ignored += 1;
            return None;
        }
        if is_frame {
            return Some(Ok(path));
        }
        if kind.is_dir() {
            return self.enter(path).err().map(Err);
        }
        if kind.is_file() || path.is_file() {
            return Some(Ok(path));
        }
        if path.is_dir() {
            self.passed.links += 1;
            return None;
        }
        Some(Err(Problem::at(path, "neither a file nor a folder")))
    }

    /// Lists the files that an URL stands for.
    fn list(&mut self, path: &Path) -> Result<(), Problem> {
        let Some((stores, url)) = stores::of(path) else { return Ok(()) };
        let listed = stores.list(url, self.options.limits);
        self.listed = listed.map_err(|error| Problem::at(path, error.to_string()))?.into_iter();
        Ok(())
    }

    /// The next file of a folder of a store.
    fn next_listed(&mut self) -> Option<PathBuf> {
        loop {
            let url = self.listed.next()?;
            if url.split('/').any(|part| part == HISTORY) {
                self.passed.git += 1;
            } else if !self.options.takes(Path::new(&url), false) {
                self.passed.globs += 1;
            } else {
                return Some(url.into());
            }
        }
    }

    /// Begins with the next path: a file, or a folder that is entered.
    fn start(&mut self) -> Option<Result<Option<Found>, Problem>> {
        let Start { path, is_named } = match self.starts.next()? {
            Ok(start) => start,
            Err(problem) => return Some(Err(problem)),
        };
        if stores::names_several(&path) {
            return Some(self.list(&path).map(|()| None));
        }
        let is_stream = self.options.dash && path == Path::new("-");
        if is_stream || !path.is_dir() || is_sparse_frame(&path) {
            return Some(Ok(Some(Found { path, is_named, is_start: true })));
        }
        if let Some(problem) = self.options.gitignore.then(|| ignored::endless_above(&path)).flatten() {
            return Some(Err(problem));
        }
        Some(self.enter(path).map(|()| None))
    }
}

impl Iterator for Walk<'_> {
    type Item = Result<Found, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(path) = self.next_listed() {
                return Some(Ok(Found { path, is_named: false, is_start: false }));
            }
            let Some(level) = self.open.last_mut() else {
                match self.start()?.transpose() {
                    Some(found) => return Some(found),
                    None => continue,
                }
            };
            match level.entries.next() {
                Some(entry) => {
                    let path = level.folder.join(&entry.name);
                    if let Some(met) = self.meet(entry, path) {
                        return Some(met.map(|path| Found { path, is_named: false, is_start: false }));
                    }
                }
                None => {
                    self.held -= level.held;
                    self.open.pop();
                }
            }
        }
    }
}

impl fmt::Debug for Walk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Walk").field("options", &self.options).field("passed", &self.passed).finish_non_exhaustive()
    }
}

/// Refuses a folder whose names take too much memory.
fn ensure_room(folder: &Path, held: u64, limits: Limits) -> Result<(), Problem> {
    match held <= limits.memory {
        true => Ok(()),
        false => {
            let reason = format!("the names in the folder take more than the {} bytes that are granted", limits.memory);
            Err(Problem::at(folder, reason))
        }
    }
}
