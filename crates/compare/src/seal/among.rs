//! The files that are checked against a seal: the listed ones, plus any others that the walk finds.

use super::name::Name;
use super::read::{Seal, Sealed};
use ndbytes::b2nd::is_sparse_frame;
use ndbytes::walk::{Found, Options, Passed, Problem, Start, Starts, Walk};
use ndbytes::{Checker, FileId, Report, Result};
use std::fs;
use std::path::Path;
use std::sync::{Arc, PoisonError};

/// The files at some paths and in some directories, as found by a [`Walk`]. With a seal, the files that it lists come first.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let folder = folder.path();
/// # let file = folder.join("a.ra");
/// # std::fs::copy("../../samples/surface.ra", &file).unwrap();
/// use ndbytes::{Limits, walk};
/// use ndbytes_compare::seal;
/// # let limits = Limits::default();
/// # let at = seal::beside(folder);
/// # let name = seal::Base::of(&at)?.name(&file).unwrap();
/// # std::fs::write(&at, format!("{}{}", seal::HEAD, seal::describe(&file, &name, &limits)?)).unwrap();
/// # std::fs::rename(&file, folder.join("b.ra")).unwrap();
///
/// // The seal lists a.ra, which is now called b.ra.
/// let sealed = std::sync::Arc::new(seal::Seal::open(&seal::beside(folder), limits)?);
/// let starts = Box::new(std::iter::once(Ok(walk::Start::named(folder))));
/// let files = seal::Files::new(starts, walk::Options::new(), Some(sealed.clone()));
/// let found: Vec<_> = files.map(|found| found.unwrap().path).collect();
/// assert_eq!(found, [folder.join("b.ra")]);
/// assert_eq!(sealed.missing().next().unwrap().0, folder.join("a.ra"));
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// Listed files are opened by the seal's own paths, so no other file can hide them. The walk then adds new files.
#[derive(Debug)]
pub struct Files<'s> {
    walk: Walk<'s>,
    seal: Option<Arc<Seal>>,
}

impl<'s> Files<'s> {
    /// The files at the paths of a list of any length.
    pub fn new(starts: Starts<'s>, options: Options, seal: Option<Arc<Seal>>) -> Self {
        let starts = match seal.clone() {
            None => starts,
            Some(seal) => Box::new(starts.flat_map(move |start| match start {
                Ok(start) => seal.expanded(start).into_iter().map(Ok).collect(),
                Err(problem) => vec![Err(problem)],
            })),
        };
        Files { walk: Walk::new(starts, options), seal }
    }

    /// The entries that have been skipped so far.
    pub fn passed(&self) -> Passed {
        self.walk.passed()
    }
}

impl Iterator for Files<'_> {
    type Item = std::result::Result<Found, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        let is_due = |found: &Found| match &self.seal {
            // A walk finds the listed files a second time, and the seal itself.
            Some(seal) if !found.is_start => !seal.is_at(&found.path) && !seal.contains(&found.path),
            _ => true,
        };
        self.walk.find(|found| found.as_ref().map_or(true, is_due))
    }
}

impl Seal {
    /// Returns the starts of the walk from `start`: for a directory, the listed files that exist in it, and then the
    /// directory. Records the path for [`Seal::missing`].
    fn expanded(&self, start: Start) -> Vec<Start> {
        let (is_folder, is_frame) = (start.path.is_dir(), is_sparse_frame(&start.path));
        let name = match is_folder && !is_frame {
            true => self.base.name_of_folder(&start.path),
            false => self.base.name(&start.path),
        };
        let Some(name) = name else { return vec![start] };
        let inside = if is_folder { self.files_in(&name) } else { &[] };
        let mut starts: Vec<Start> = Vec::new();
        for path in inside.iter().filter_map(|file| self.base.path(&file.name)) {
            // The files in the directory of a sparse frame are checked as one.
            match path.parent().filter(|around| is_sparse_frame(around)) {
                Some(around) if starts.last().is_some_and(|last| last.path == around) => {}
                Some(around) => starts.push(Start::listed(around)),
                None if fs::metadata(&path).is_ok_and(|found| found.is_file()) => starts.push(Start::listed(path)),
                // It is missing, which is reported at the end.
                None => {}
            }
        }
        // A listed frame is already among the starts.
        if !is_frame || !starts.iter().any(|one| FileId::of(&one.path).ok() == FileId::of(&start.path).ok()) {
            starts.push(start);
        }
        self.among.lock().unwrap_or_else(PoisonError::into_inner).insert(name);
        starts
    }

    /// Returns the listed files in a directory, at any depth. They are consecutive.
    fn files_in(&self, folder: &Name) -> &[Sealed] {
        let after = &self.files[self.files.partition_point(|file| file.name < *folder)..];
        &after[..after.partition_point(|file| file.name.is_within(folder))]
    }

    /// Checks a file and compares it with the seal. A file in an unknown format is compared only if the seal lists it.
    ///
    /// # Errors
    /// As for [`Checker::check`] and [`Seal::compare`].
    pub fn check(&self, checker: &Checker, path: &Path) -> Result<Report> {
        let report = checker.check(path)?;
        match report.is_foreign() && !self.contains(path) {
            true => Ok(report),
            false => Ok(report.extended(self.compare(path)?)),
        }
    }

    /// Returns whether a name, or a directory above it, was a start of [`Files`].
    pub(super) fn is_among(&self, name: &Name) -> bool {
        let among = self.among.lock().unwrap_or_else(PoisonError::into_inner);
        name.with_folders().any(|name| among.contains(&name))
    }
}
