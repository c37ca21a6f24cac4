//! The pairs of files of two folders, in order.

use ndbytes::walk::{Found, Options, Passed, Problem, Walk};
use std::path::{Path, PathBuf};

/// Two files at one place in two folders, or one of them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pair {
    /// The path below both folders.
    pub path: PathBuf,
    /// The file in the first folder.
    pub a: Option<PathBuf>,
    /// The file in the second folder.
    pub b: Option<PathBuf>,
    /// The reason why a side is not known: an entry that is no file, or a folder that cannot be listed.
    pub problem: Option<String>,
}

/// The pairs of files of two folders: those at one relative path, and those that only one folder has. They come in the order of
/// the walk. Each folder is walked once, and no list of all files is held.
#[derive(Debug)]
pub struct Pairs {
    a: Side,
    b: Side,
}

/// One of the folders.
#[derive(Debug)]
struct Side {
    folder: PathBuf,
    walk: Walk<'static>,
    /// The next step of the walk, once somebody has looked at it.
    ahead: Option<Result<Found, Problem>>,
    /// The last place where this side could not look, and the reason.
    unseen: Option<(PathBuf, String)>,
}

/// The next entry of a side.
struct Entry {
    path: PathBuf,
    /// The file, or the reason why it is none.
    found: Result<PathBuf, String>,
}

impl Side {
    fn new(folder: &Path, options: &Options) -> Self {
        let walk = Walk::of_path(folder, options.clone());
        Side { folder: folder.to_owned(), walk, ahead: None, unseen: None }
    }

    /// The place of the next entry below the folder.
    fn place(&mut self) -> Option<PathBuf> {
        if self.ahead.is_none() {
            self.ahead = self.walk.next();
        }
        let path = match self.ahead.as_ref()? {
            Ok(found) => Some(&*found.path),
            Err(problem) => problem.path.as_deref(),
        };
        Some(path.and_then(|path| path.strip_prefix(&self.folder).ok()).unwrap_or(Path::new("")).to_owned())
    }

    fn next(&mut self) -> Option<Entry> {
        let path = self.place()?;
        let found = self.ahead.take()?.map(|found| found.path).map_err(|problem| problem.reason);
        if let Err(reason) = &found {
            self.unseen = Some((path.clone(), reason.clone()));
        }
        Some(Entry { path, found })
    }

    /// The reason why this side may have a file there nevertheless.
    fn doubt(&self, path: &Path) -> Option<String> {
        let (around, reason) = self.unseen.as_ref().filter(|(around, _)| path.starts_with(around))?;
        Some(if path == around { reason.clone() } else { format!("the other folder could not be listed: {reason}") })
    }
}

impl Pairs {
    /// The pairs of two folders. Both are walked by the same rules.
    pub fn new(a: impl AsRef<Path>, b: impl AsRef<Path>, options: &Options) -> Self {
        Pairs { a: Side::new(a.as_ref(), options), b: Side::new(b.as_ref(), options) }
    }

    /// The entries of each folder that were skipped so far.
    pub fn passed(&self) -> [Passed; 2] {
        [self.a.walk.passed(), self.b.walk.passed()]
    }
}

impl Iterator for Pairs {
    type Item = Pair;

    fn next(&mut self) -> Option<Self::Item> {
        let (a, b) = match (self.a.place(), self.b.place()) {
            (None, None) => return None,
            (Some(one), Some(other)) if one == other => (self.a.next(), self.b.next()),
            // A path is compared name by name, as the walk goes.
            (Some(one), Some(other)) if one < other => (self.a.next(), None),
            (Some(_), None) => (self.a.next(), None),
            (_, Some(_)) => (None, self.b.next()),
        };
        let path = a.as_ref().or(b.as_ref()).map(|entry| entry.path.clone())?;
        let doubt = match (&a, &b) {
            (Some(_), None) => self.b.doubt(&path),
            (None, Some(_)) => self.a.doubt(&path),
            _ => None,
        };
        let reason = |entry: &Option<Entry>| entry.as_ref().and_then(|entry| entry.found.as_ref().err().cloned());
        let problem = reason(&a).or_else(|| reason(&b)).or(doubt);
        let file = |entry: Option<Entry>| entry.and_then(|entry| entry.found.ok());
        Some(Pair { path, a: file(a), b: file(b), problem })
    }
}
