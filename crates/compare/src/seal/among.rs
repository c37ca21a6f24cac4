//! The files that are checked where a seal is given: those that it lists, whatever a walk finds.

use super::name::Name;
use super::read::{Seal, Sealed};
use ndbytes::b2nd::is_sparse_frame;
use ndbytes::walk::{Found, Options, Passed, Problem, Start, Starts, Walk};
use ndbytes::{Checker, FileId, Report, Result};
use std::fs;
use std::path::Path;
use std::sync::{Arc, PoisonError};

/// The files at paths and below folders, as a [`Walk`] finds them. With a seal, those that it lists come first. They are found
/// by its list, so that nothing that lies beside a file hides it; the walk adds what is new.
#[derive(Debug)]
pub struct Files<'s> {
    walk: Walk<'s>,
    seal: Option<Arc<Seal>>,
}

impl<'s> Files<'s> {
    /// The files at the paths of a list, which may have any length.
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

    /// The entries that were skipped so far.
    pub fn passed(&self) -> Passed {
        self.walk.passed()
    }
}

impl Iterator for Files<'_> {
    type Item = std::result::Result<Found, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        let is_due = |found: &Found| match &self.seal {
            // A walk meets the listed files once more, and the seal itself.
            Some(seal) if !found.is_start => !seal.is_at(&found.path) && !seal.contains(&found.path),
            _ => true,
        };
        self.walk.find(|found| found.as_ref().map_or(true, is_due))
    }
}

impl Seal {
    /// The starts of the walk from `start`: of a folder, the files in it that are listed and are there, and then the folder.
    /// [`Seal::missing`] knows the path from now on.
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
            // The files in the folder of a sparse frame are checked as one.
            match path.parent().filter(|around| is_sparse_frame(around)) {
                Some(around) if starts.last().is_some_and(|last| last.path == around) => {}
                Some(around) => starts.push(Start::listed(around)),
                None if fs::metadata(&path).is_ok_and(|found| found.is_file()) => starts.push(Start::listed(path)),
                // It is missing, which is reported at the end.
                None => {}
            }
        }
        // A frame that is listed is among the starts already.
        if !is_frame || !starts.iter().any(|one| FileId::of(&one.path).ok() == FileId::of(&start.path).ok()) {
            starts.push(start);
        }
        self.among.lock().unwrap_or_else(PoisonError::into_inner).insert(name);
        starts
    }

    /// The files that are listed in a folder, at any depth: a folder's files follow one another.
    fn files_in(&self, folder: &Name) -> &[Sealed] {
        let after = &self.files[self.files.partition_point(|file| file.name < *folder)..];
        &after[..after.partition_point(|file| file.name.is_within(folder))]
    }

    /// Checks a file, and compares it with what the seal states. A file of no known format is compared only if it is listed.
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

    /// Returns whether a name, or a folder around it, was a start of [`Files`].
    pub(super) fn is_among(&self, name: &Name) -> bool {
        let among = self.among.lock().unwrap_or_else(PoisonError::into_inner);
        name.with_folders().any(|name| among.contains(&name))
    }
}
