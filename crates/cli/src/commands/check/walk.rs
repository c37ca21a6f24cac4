//! The files to check: files named in the arguments, and files in named directories.
//!
//! Named files and found files are treated differently. A user who names a file expects an answer about it, so an
//! unknown format is an error. A directory contains all sorts of files, so unknown ones are only counted.

use crate::show::progress::Progress;
use crate::show::text;
use ndbytes::names::Name;
use ndbytes::stores::Stat;
use ndbytes::walk::{self, Options, Passed, Problem, Start, Starts};
use ndbytes::{Limits, Report};
use ndbytes_compare::seal::{self, Seal};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Returns a problem as a message of the tool.
pub fn words(problem: &Problem) -> String {
    let path = problem.path.as_deref().map_or_else(String::new, |path| format!("{}: ", text::path(path)));
    path + &problem.reason
}

/// How directories are searched.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Which files")]
pub struct Walking {
    /// In directories, include only files that match GLOB (in .gitignore syntax); `!GLOB` excludes files. May be repeated.
    #[arg(short, long = "glob", value_name = "GLOB")]
    globs: Vec<String>,
    /// Skip what ripgrep skips: hidden files, and files excluded by .gitignore or .ignore.
    #[arg(long)]
    gitignore: bool,
    /// What to do with files in unknown formats that are found in directories or listed in a file.
    #[arg(long, value_enum, default_value_t)]
    pub unknown: Unknown,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Unknown {
    /// Report them as errors, as if they were named on the command line.
    Error,
    /// Count them. A file with a reserved name, such as `x.b2nd`, is still an error.
    #[default]
    Count,
    /// Like `count`, but do not print the number.
    Skip,
}

impl Walking {
    /// Returns whether any of the options is given.
    pub fn is_given(&self) -> bool {
        !self.globs.is_empty() || self.gitignore || self.unknown != Unknown::default()
    }

    /// Returns the options of the walk.
    ///
    /// # Errors
    /// Fails if a glob pattern is invalid, with a sentence that names it.
    pub fn options(&self, limits: Limits) -> Result<Options, String> {
        let options = Options::new().gitignore(self.gitignore).limits(limits).dash(true);
        options.globs(self.globs.iter().map(String::as_str)).map_err(|error| error.to_string())
    }
}

/// Returns whether a skipped file has a name that suggests a known format.
pub fn is_named_alike(path: &Path) -> bool {
    Name::of(path).is_some()
}

/// A file to check.
pub struct Found {
    pub path: PathBuf,
    /// Whether the user named it.
    pub is_named: bool,
    /// The size and the time of the file in the listing of a store.
    #[cfg_attr(not(feature = "convert"), allow(dead_code, reason = "tables alone ask for it"))]
    pub stat: Option<Stat>,
    /// The length of the file in bytes, if progress is shown.
    pub length: u64,
}

impl Found {
    /// Returns whether the format is unknown, and the name does not imply a known one.
    pub fn is_passed_over(&self, report: &Report, unknown: Unknown) -> bool {
        self.may_be_foreign(unknown) && report.is_foreign()
    }

    /// Returns whether the file may be in an unknown format.
    pub fn may_be_foreign(&self, unknown: Unknown) -> bool {
        !self.is_named && unknown != Unknown::Error
    }
}

/// All files to be checked, in order; see [`seal::Files`].
pub struct Files<'a> {
    files: seal::Files<'a>,
    progress: &'a Progress,
}

impl<'a> Files<'a> {
    /// Returns the files at paths that the user named.
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

    /// Returns the files at listed paths and the files that a seal lists there.
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

    /// Returns the entries that were skipped so far.
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
            let walk::Found { path, is_named, stat, .. } = found;
            let length = || stat.map_or_else(|| fs::metadata(&path).map_or(0, |it| it.len()), |stat| stat.length);
            let length = if self.progress.is_visible() { length() } else { 0 };
            self.progress.expect(length);
            Found { path, is_named, stat, length }
        }))
    }
}
