//! The pairs of files of two directories, in order.

use ndbytes::walk::{Found, Options, Passed, Problem, Walk};
use std::path::{Path, PathBuf};

/// Two files at the same relative path in two directories, or only one of them.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
/// # for side in [&old, &new] {
/// #     std::fs::create_dir(side).unwrap();
/// # }
/// # std::fs::write(new.join("b.idx"), [0, 0, 8, 1, 0, 0, 0, 1, 5]).unwrap();
/// use ndbytes::walk;
/// use ndbytes_compare::folders::Pairs;
///
/// // Only the second directory has b.idx.
/// let pair = Pairs::new(&old, &new, &walk::Options::new()).next().unwrap();
/// assert_eq!(pair.path.to_str(), Some("b.idx"));
/// assert_eq!((pair.a, pair.b), (None, Some(new.join("b.idx"))));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pair {
    /// The relative path.
    pub path: PathBuf,
    /// The file in the first directory.
    pub a: Option<PathBuf>,
    /// The file in the second directory.
    pub b: Option<PathBuf>,
    /// Why the file of one side is unknown: an entry is not a file, or a directory cannot be listed.
    pub problem: Option<String>,
}

/// Pairs the files of two directories by their relative paths. A file that only one directory has is returned without a partner.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
/// # for side in [&old, &new] {
/// #     std::fs::create_dir(side).unwrap();
/// #     std::fs::write(side.join("a.idx"), [0, 0, 8, 1, 0, 0, 0, 1, 5]).unwrap();
/// # }
/// # std::fs::write(new.join("b.idx"), [0, 0, 8, 1, 0, 0, 0, 1, 5]).unwrap();
/// use ndbytes::walk;
/// use ndbytes_compare::folders::Pairs;
///
/// let pairs: Vec<_> = Pairs::new(&old, &new, &walk::Options::new()).collect();
/// assert_eq!(pairs.len(), 2); // a.idx in both, b.idx only in the second
/// assert_eq!(pairs.iter().filter(|pair| pair.a.is_none()).count(), 1);
/// ```
///
/// The pairs come in the order of the walk. Each directory is walked once, without keeping a list of its files. Both
/// walks are sorted, so the next pair is always at the front of one of them.
#[derive(Debug)]
pub struct Pairs {
    a: Side,
    b: Side,
}

/// One of the directories.
#[derive(Debug)]
struct Side {
    folder: PathBuf,
    walk: Walk<'static>,
    /// The next step of the walk, if it was peeked.
    ahead: Option<Result<Found, Problem>>,
    /// The last path that could not be read on this side, and the reason.
    unseen: Option<(PathBuf, String)>,
}

/// The next entry of a side.
struct Entry {
    path: PathBuf,
    /// The file, or the reason why it is invalid.
    found: Result<PathBuf, String>,
}

impl Side {
    /// A side before its first file.
    fn new(folder: &Path, options: &Options) -> Self {
        let walk = Walk::of_path(folder, options.clone());
        Side { folder: folder.to_owned(), walk, ahead: None, unseen: None }
    }

    /// Returns the path of the next entry below the directory.
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

    /// Returns the next file of this side. If it cannot be read, the reason is kept.
    fn next(&mut self) -> Option<Entry> {
        let path = self.place()?;
        let found = self.ahead.take()?.map(|found| found.path).map_err(|problem| problem.reason);
        if let Err(reason) = &found {
            self.unseen = Some((path.clone(), reason.clone()));
        }
        Some(Entry { path, found })
    }

    /// Returns why this side may have an unseen file at this path.
    fn doubt(&self, path: &Path) -> Option<String> {
        let (around, reason) = self.unseen.as_ref().filter(|(around, _)| path.starts_with(around))?;
        Some(if path == around { reason.clone() } else { format!("the other folder could not be listed: {reason}") })
    }
}

impl Pairs {
    /// The pairs of two directories. Both are searched by the same rules.
    pub fn new(a: impl AsRef<Path>, b: impl AsRef<Path>, options: &Options) -> Self {
        Pairs { a: Side::new(a.as_ref(), options), b: Side::new(b.as_ref(), options) }
    }

    /// The entries of each directory that have been skipped so far.
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
            // Paths are compared name by name, in the order of the walk.
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
