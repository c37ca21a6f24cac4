//! Reading seals. A seal may come from anybody.

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

/// A seal that was read, and is whole. Of its files, paths, lengths and digests are in memory. The parts of a file are read
/// when it turns out to have changed.
#[derive(Debug)]
pub struct Seal {
    pub(super) input: Input<'static>,
    pub(super) base: Base,
    pub(super) limits: Limits,
    path: PathBuf,
    /// In the order of their names.
    pub(super) files: Vec<Sealed>,
    /// The paths that were named: files of the seal that are elsewhere need not be there.
    pub(super) among: Mutex<HashSet<Name>>,
}

/// A file in a seal.
#[derive(Debug)]
pub(super) struct Sealed {
    pub name: Name,
    pub size: u64,
    pub digest: Digest,
    /// The place of its parts in the seal.
    pub parts: Mark,
    /// True once it was compared.
    pub seen: AtomicBool,
}

impl Seal {
    /// Reads a seal, from its first line to its last. `limits` are those of the seal, and of each file that is compared.
    ///
    /// # Errors
    /// [`Error::Seal`](ndbytes::Error::Seal) if it breaks a rule of its form, [`Error::Limit`](ndbytes::Error::Limit) if it lists
    /// too many files, [`Error::Io`](ndbytes::Error::Io).
    pub fn open(path: &Path, limits: Limits) -> Result<Seal> {
        let base = Base::of(path)?;
        let input = Input::open(path, limits)?;
        let files = read(&input)?;
        // What is read of it later belongs to the work on the files.
        let input = input.unclocked();
        Ok(Seal { path: path.to_owned(), input, base, limits, files, among: Mutex::default() })
    }

    /// The folder that the seal is about.
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// Returns whether a path leads to the seal itself.
    pub fn is_at(&self, path: &Path) -> bool {
        let is_alike = path.file_name() == self.path.file_name();
        is_alike && self.base.name(path).is_some_and(|name| self.base.name(&self.path) == Some(name))
    }

    /// Returns whether a file, or a file in the folder of a sparse frame, is in the seal.
    pub fn contains(&self, path: &Path) -> bool {
        let Some(name) = self.base.name(path) else { return false };
        let place = self.files.partition_point(|file| file.name < name);
        self.files.get(place).is_some_and(|file| file.name.is_within(&name))
    }

    pub(super) fn file(&self, name: &Name) -> Option<&Sealed> {
        self.files.binary_search_by(|file| file.name.cmp(name)).ok().map(|place| &self.files[place])
    }
}

/// The files of a seal.
fn read(input: &Input<'_>) -> Result<Vec<Sealed>> {
    let mut lines = Lines::new(input)?;
    let mut files: Vec<Sealed> = Vec::new();
    // The byte that the parts of the last file reach.
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

/// The reason why a line, or the end, cannot follow the `last` file, whose parts reach a byte.
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
                name => Some(format!("the file {name} stands after {before}, but files stand in order")),
            }
        }),
        Some(Line::Part(part)) => match last {
            None => Some("a part stands before the first file".to_owned()),
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
