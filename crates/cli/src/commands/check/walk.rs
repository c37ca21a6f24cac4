//! The files that are checked: those that are named, and those in folders that are named.

use crate::show::progress::Progress;
use crate::show::text;
use ndbytes::names::Name;
use ndbytes::walk::{Options, Passed, Problem, Start, Starts};
use ndbytes::{Limits, Report};
use ndbytes_compare::seal::{self, Seal};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A problem in the words of the tool.
pub fn words(problem: &Problem) -> String {
    let path = problem.path.as_deref().map_or_else(String::new, |path| format!("{}: ", text::path(path)));
    path + &problem.reason
}

/// How folders are walked.
#[derive(Debug, Default, clap::Args)]
pub struct Walking {
    /// Include only files in directories whose path matches, as in .gitignore; with a leading `!`, exclude them. May be repeated.
    #[arg(short, long = "glob", value_name = "GLOB")]
    globs: Vec<String>,
    /// Skip what ripgrep skips: hidden files, and files that .gitignore, .ignore and the like exclude.
    #[arg(long)]
    gitignore: bool,
    /// How to handle unrecognized files that are found in directories, or that are named in a list.
    #[arg(long, value_enum, default_value_t)]
    pub unknown: Unknown,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Unknown {
    /// Report each as an error, as for files named on the command line.
    Error,
    /// Count them. Files whose extension is specific to a supported format, such as `x.b2nd`, are errors.
    #[default]
    Count,
    /// As `count`, but do not print the number.
    Skip,
}

impl Walking {
    /// Returns whether any of the options is given.
    pub fn is_given(&self) -> bool {
        !self.globs.is_empty() || self.gitignore || self.unknown != Unknown::default()
    }

    /// The options of the walk.
    ///
    /// # Errors
    /// Fails if a glob pattern is invalid, with a sentence that names it.
    pub fn options(&self, limits: Limits) -> Result<Options, String> {
        let options = Options::new().gitignore(self.gitignore).limits(limits).dash(true);
        options.globs(self.globs.iter().map(String::as_str)).map_err(|error| error.to_string())
    }
}

/// Returns whether the name of a file that was skipped is one that files of a known format have.
pub fn is_named_alike(path: &Path) -> bool {
    Name::of(path).is_some()
}

/// A file to be checked.
pub struct Found {
    pub path: PathBuf,
    /// True if the user named it.
    pub is_named: bool,
    /// Its bytes, as far as somebody looks at the progress.
    pub length: u64,
}

impl Found {
    /// Returns whether it is of no known format, and nobody expects that it is.
    pub fn is_passed_over(&self, report: &Report, unknown: Unknown) -> bool {
        self.may_be_foreign(unknown) && report.is_foreign()
    }

    /// Returns whether it may be of any format.
    pub fn may_be_foreign(&self, unknown: Unknown) -> bool {
        !self.is_named && unknown != Unknown::Error
    }
}

/// All files to be checked, in order: see [`seal::Files`].
pub struct Files<'a> {
    files: seal::Files<'a>,
    progress: &'a Progress,
}

impl<'a> Files<'a> {
    /// The files at paths that the user named.
    ///
    /// # Errors
    /// Fails if a glob pattern is invalid, with a sentence that names it.
    pub fn new(
        paths: &'a [PathBuf],
        walking: &Walking,
        limits: Limits,
        progress: &'a Progress,
    ) -> Result<Self, String> {
        let starts = Box::new(paths.iter().map(|path| Ok(Start::named(path))));
        Files::of(starts, walking, limits, None, progress)
    }

    /// The files at the paths of a list, and those that a seal lists there.
    ///
    /// # Errors
    /// Fails if a glob pattern is invalid, with a sentence that names it.
    pub fn of(
        starts: Starts<'a>,
        walking: &Walking,
        limits: Limits,
        seal: Option<Arc<Seal>>,
        progress: &'a Progress,
    ) -> Result<Self, String> {
        Ok(Files { files: seal::Files::new(starts, walking.options(limits)?, seal), progress })
    }

    /// The entries that were skipped so far.
    pub fn passed(&self) -> Passed {
        self.files.passed()
    }
}

impl Iterator for Files<'_> {
    type Item = Result<Found, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        let Some(found) = self.files.next() else {
            self.progress.all_found();
            return None;
        };
        Some(found.map(|found| {
            let (path, is_named) = (found.path, found.is_named);
            let is_told = self.progress.is_visible();
            let length = if is_told { fs::metadata(&path).map_or(0, |it| it.len()) } else { 0 };
            self.progress.expect(length);
            Found { path, is_named, length }
        }))
    }
}
