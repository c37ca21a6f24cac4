//! Reads seals. A seal may come from a stranger.
//!
//! Reading verifies everything that later code relies on: files are sorted and unique, paths stay inside the
//! directory, and the parts of a file cover it from the first byte to the last. Only the list of files is kept in
//! memory, charged to [`Limits::memory`]. Each entry records where its parts are in the seal; they are read again if
//! the file has changed.

use super::base::Base;
use super::lines::{Line, Lines, Mark};
use super::name::Name;
use crate::digest::Digest;
use ndbytes::internals::grown;
use ndbytes::{Input, Limits, Result};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// A complete seal, to compare files with.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let file = folder.path().join("a.ra");
/// # std::fs::copy("../../samples/surface.ra", &file).unwrap();
/// use ndbytes::Limits;
/// use ndbytes_compare::seal::{self, Seal};
/// # let limits = Limits::default();
/// # let name = seal::Base::of(&seal::beside(&file))?.name(&file).unwrap();
/// # let text = format!("{}{}", seal::HEAD, seal::describe(&file, &name, &limits)?);
/// # std::fs::write(seal::beside(&file), text).unwrap();
///
/// let sealed = Seal::open(&seal::beside(&file), limits)?;
/// assert!(sealed.contains(&file));
/// std::fs::write(&file, b"overwritten")?;
/// assert_eq!(sealed.compare(&file)?[0].rule.id, "changed");
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// The paths, lengths and digests of its files are in memory. The parts of a file are read only if it has changed.
#[derive(Debug)]
pub struct Seal {
    pub(super) input: Input<'static>,
    pub(super) base: Base,
    pub(super) limits: Limits,
    path: PathBuf,
    /// The files, sorted by name.
    pub(super) files: Vec<Sealed>,
    /// The paths that the check was started with. Files elsewhere need not exist.
    pub(super) among: Mutex<HashSet<Name>>,
}

/// A file in a seal.
#[derive(Debug)]
pub(super) struct Sealed {
    pub name: Name,
    pub size: u64,
    pub digest: Digest,
    /// The position of its parts in the seal.
    pub parts: Mark,
    /// Whether it has been compared.
    pub seen: AtomicBool,
}

impl Seal {
    /// Reads a complete seal. `limits` apply to the seal, and to each file that is compared.
    ///
    /// # Errors
    /// [`Error::Seal`](ndbytes::Error::Seal) if it is not well-formed; [`Error::Limit`](ndbytes::Error::Limit) if it lists too many files;
    /// [`Error::Io`](ndbytes::Error::Io).
    pub fn open(path: &Path, limits: Limits) -> Result<Seal> {
        let base = Base::of(path)?;
        let input = Input::open(path, limits)?;
        let files = read(&input)?;
        // The memory for parts that are read later is charged to the checks of the files.
        let input = input.unclocked();
        Ok(Seal { path: path.to_owned(), input, base, limits, files, among: Mutex::default() })
    }

    /// The directory of the seal.
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// Returns whether a path is the path of the seal itself.
    pub fn is_at(&self, path: &Path) -> bool {
        let is_alike = path.file_name() == self.path.file_name();
        is_alike && self.base.name(path).is_some_and(|name| self.base.name(&self.path) == Some(name))
    }

    /// Returns whether the seal lists a file, or a file in the directory of a sparse frame.
    pub fn contains(&self, path: &Path) -> bool {
        let Some(name) = self.base.name(path) else { return false };
        let place = self.files.partition_point(|file| file.name < name);
        self.files.get(place).is_some_and(|file| file.name.is_within(&name))
    }

    /// Returns the entry of a file by binary search, since reading the seal has verified that the entries are sorted.
    pub(super) fn file(&self, name: &Name) -> Option<&Sealed> {
        self.files.binary_search_by(|file| file.name.cmp(name)).ok().map(|place| &self.files[place])
    }
}

/// Reads the files of a seal.
fn read(input: &Input<'_>) -> Result<Vec<Sealed>> {
    let mut lines = Lines::new(input)?;
    let mut files: Vec<Sealed> = Vec::new();
    // The end of the most recent part of the most recent file.
    let mut reached = 0;
    loop {
        let line = lines.next()?;
        let problem = problem(line.as_ref(), files.last(), reached);
        let (end, file) = match line {
            Some(Line::File { size, digest, name }) => (0, Some((size, digest, name))),
            Some(Line::Part(part)) => (part.place.end, None),
            None if problem.is_none() => return Ok(files),
            None => (0, None),
        };
        if let Some(problem) = problem {
            return Err(lines.broken(problem));
        }
        reached = end;
        if let Some((size, digest, name)) = file {
            input.budget().take(grown::<Sealed>(1) + name.held(), "the files that a seal lists")?;
            files.push(Sealed { name, size, digest, parts: lines.mark(), seen: AtomicBool::new(false) });
        }
    }
}

/// Returns why a line, or the end, cannot follow the `last` file, whose parts end at `reached`.
fn problem(line: Option<&Line<'_>>, last: Option<&Sealed>, reached: u64) -> Option<String> {
    let short = || {
        let file = last.filter(|file| reached < file.size)?;
        Some(format!("the parts of the file before end at byte {reached}, but it has {} bytes", file.size))
    };
    match line {
        None => short(),
        Some(Line::File { name, .. }) => short().or_else(|| {
            let before = &last?.name;
            match name {
                name if name > before => None,
                name if name == before => Some(format!("the file {name} is listed twice")),
                name => Some(format!("the file {name} is listed after {before}, but files must be sorted")),
            }
        }),
        Some(Line::Part(part)) => match last {
            None => Some("a part precedes the first file".to_owned()),
            Some(_) if part.place.start != reached => {
                let start = part.place.start;
                Some(format!("a part begins at byte {start}, but the part before it ends at byte {reached}"))
            }
            Some(file) if part.place.end > file.size => {
                Some(format!("a part ends at byte {}, but the file has {}", part.place.end, file.size))
            }
            Some(_) => None,
        },
    }
}
