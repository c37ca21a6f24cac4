//! Searches directories for files. The tool, the library, the Python package and SQL all use this search.
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
//! * A walk finds everything below a directory except `.git`, sorted by name. Hidden files are included, and no file in a directory
//!   can hide another one. [`Options::gitignore`] enables ripgrep's rules.
//! * A named path that is not a directory is returned even if it does not exist. The code that opens it receives the error.
//! * The directory of a sparse frame counts as one file. The directory of a store is searched.
//! * A link to a file counts as that file, under the name of the link. A link to a directory is skipped unless it is named, so a
//!   walk never loops.
//! * A directory that cannot be listed, a dangling link, a pipe, a socket or a device is a [`Problem`].
//! * Names need not be UTF-8.
//! * A URL that the [`stores`] of this process support is one file. A directory of an object store, or any other URL that names
//!   several files, is searched, and everything below it except `.git` is found, sorted by name.
//! * The names in the directories that are open at the same time must fit into [`Limits::memory`]. A directory whose names do not
//!   fit is a problem. The system limits the length of a path, and therefore the depth.
//!
//! Skipped entries are counted: [`Walk::passed`].

mod ignored;
mod options;
mod passed;

use crate::bytes::limits::Limits;
use crate::bytes::stores::{self, Listed, Stat};
use crate::zip::store::is_sparse_frame;
use ignored::{Kept, endless};
use ndbytes_schemas::blosc2::folder::FRAME_FILE;
pub use options::{BadGlob, Options};
pub use passed::Passed;
use std::ffi::OsString;
use std::fs::{self, FileType};
use std::path::{Path, PathBuf};
use std::{fmt, io, vec};

/// The directory with the history of a repository, which a walk never enters.
const HISTORY: &str = ".git";

/// A path at which a walk starts.
///
/// ```
/// use ndbytes::walk::{Options, Start, Walk};
///
/// // The lines of a list, such as the output of `git ls-files`.
/// let starts = ["samples/surface.ra", "samples/trees.idv"].map(Start::listed);
/// let walk = Walk::new(Box::new(starts.into_iter().map(Ok)), Options::new());
/// assert_eq!(walk.count(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Start {
    /// The path.
    pub path: PathBuf,
    /// True if the user named it. An unknown format is then an error.
    pub is_named: bool,
}

impl Start {
    /// A path that the user named.
    pub fn named(path: impl Into<PathBuf>) -> Self {
        Start { path: path.into(), is_named: true }
    }

    /// A path from a list, which may include files in any format.
    pub fn listed(path: impl Into<PathBuf>) -> Self {
        Start { path: path.into(), is_named: false }
    }
}

/// A file that a walk found.
///
/// ```
/// use ndbytes::walk::{Found, Options, Walk};
///
/// let found = Walk::of_path("samples", Options::new()).collect::<Result<Vec<Found>, _>>()?;
/// assert!(found.iter().any(|file| file.path.ends_with("trees.idv") && !file.is_start));
/// # Ok::<(), ndbytes::walk::Problem>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// The path of the start, followed by the relative path.
    pub path: PathBuf,
    /// True if the user named it: see [`Start`].
    pub is_named: bool,
    /// True if the walk started at this file; false if the file was found in a directory.
    pub is_start: bool,
    /// The size and modification time according to the listing of a store.
    pub stat: Option<Stat>,
}

/// A path that cannot be read as a file.
///
/// ```
/// use ndbytes::walk::Problem;
///
/// let problem = Problem::at("data/old", "permission denied");
/// assert_eq!(problem.to_string(), "data/old: permission denied");
/// ```
///
/// It is an item of the walk and does not end it: the walk continues with the next path.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The path, if it is known.
    pub path: Option<PathBuf>,
    /// The reason; for a system error, the message from the system.
    pub reason: String,
}

impl Problem {
    /// A problem with a path.
    pub fn at(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        Problem { path: Some(path.into()), reason: reason.into() }
    }

    /// A problem with the list of paths.
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

/// The starts of a walk, one after another, or problems with them.
pub type Starts<'s> = Box<dyn Iterator<Item = Result<Start, Problem>> + Send + 's>;

/// The files below some paths. The paths are in the given order, and the files in each directory are sorted by name.
///
/// ```
/// use ndbytes::walk::{Options, Walk};
///
/// let mut walk = Walk::of_path("samples", Options::new().globs(["*.idv", "*.ra"])?);
/// let found: Vec<_> = walk.by_ref().collect::<Result<_, _>>()?;
/// assert_eq!((found.len(), walk.passed().globs), (2, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Walk<'s> {
    starts: Starts<'s>,
    options: Options,
    /// The open directories, starting with the outermost.
    open: Vec<Level>,
    /// The remaining files of a store's listing.
    listed: vec::IntoIter<Listed>,
    /// The total length of the names in open directories and listings, in bytes.
    held: u64,
    passed: Passed,
}

/// An open directory.
struct Level {
    folder: PathBuf,
    entries: vec::IntoIter<Entry>,
    held: u64,
}

/// An entry of a directory.
struct Entry {
    name: OsString,
    kind: io::Result<FileType>,
    /// False if ripgrep's rules exclude it.
    is_kept: bool,
}

impl Walk<'static> {
    /// The files at a path that the user named.
    pub fn of_path(path: impl Into<PathBuf>, options: Options) -> Self {
        Walk::new(Box::new(std::iter::once(Ok(Start::named(path)))), options)
    }
}

impl<'s> Walk<'s> {
    /// The files at the paths in a list of any length.
    pub fn new(starts: Starts<'s>, options: Options) -> Self {
        Walk { starts, options, open: Vec::new(), listed: Vec::new().into_iter(), held: 0, passed: Passed::default() }
    }

    /// The entries that have been skipped so far.
    pub fn passed(&self) -> Passed {
        self.passed
    }

    /// Opens a directory.
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

    /// Returns the file for an entry of a directory, if it should be read.
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
        // Globs apply to files. For a frame, they may match its folder or the file in it.
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
        Some(Err(Problem::at(path, "neither a file nor a directory")))
    }

    /// Lists the files that a URL names.
    fn list(&mut self, path: &Path) -> Result<(), Problem> {
        let Some((stores, url)) = stores::of(path) else { return Ok(()) };
        let listed = stores.list(url, self.options.limits);
        self.listed = listed.map_err(|error| Problem::at(path, error.to_string()))?.into_iter();
        Ok(())
    }

    /// The next file in a store's listing.
    fn next_listed(&mut self) -> Option<Found> {
        loop {
            let file = self.listed.next()?;
            if file.url.split('/').any(|part| part == HISTORY) {
                self.passed.git += 1;
            } else if !self.options.takes(Path::new(&file.url), false) {
                self.passed.globs += 1;
            } else {
                stores::expect(&file);
                return Some(Found { path: file.url.into(), is_named: false, is_start: false, stat: file.stat });
            }
        }
    }

    /// Starts with the next path: a file, or a directory to search.
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
            return Some(Ok(Some(Found { path, is_named, is_start: true, stat: None })));
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
            if let Some(found) = self.next_listed() {
                return Some(Ok(found));
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
                        return Some(met.map(|path| Found { path, is_named: false, is_start: false, stat: None }));
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

/// Refuses a directory whose names take too much memory.
fn ensure_room(folder: &Path, held: u64, limits: Limits) -> Result<(), Problem> {
    match held <= limits.memory {
        true => Ok(()),
        false => {
            let reason = format!("the names in the directory exceed the memory limit of {} bytes", limits.memory);
            Err(Problem::at(folder, reason))
        }
    }
}
