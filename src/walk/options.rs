//! How folders are walked.

use crate::bytes::limits::Limits;
use ignore::overrides::{Override, OverrideBuilder};

/// How folders are walked.
#[derive(Debug, Clone)]
pub struct Options {
    pub(super) globs: Override,
    pub(super) gitignore: bool,
    pub(super) limits: Limits,
    pub(super) dash: bool,
}

/// A glob that is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the glob {glob} is not valid: {reason}")]
pub struct BadGlob {
    glob: String,
    reason: String,
}

impl Default for Options {
    fn default() -> Self {
        Options { globs: Override::empty(), gitignore: false, limits: Limits::default(), dash: false }
    }
}

impl Options {
    /// Everything but `.git`, within the default limits.
    pub fn new() -> Self {
        Options::default()
    }

    /// Leaves out what ripgrep leaves out: hidden files, and what `.gitignore`, `.ignore` and git's own lists name.
    #[must_use]
    pub fn gitignore(self, wanted: bool) -> Self {
        Options { gitignore: wanted, ..self }
    }

    /// Takes only files in folders whose path fits one of the globs, as in .gitignore, from the working folder. `!`
    /// before a glob leaves such files out.
    ///
    /// # Errors
    /// [`BadGlob`] about the first one that is not valid.
    pub fn globs<'g>(self, globs: impl IntoIterator<Item = &'g str>) -> Result<Self, BadGlob> {
        let bad = |glob: &str, error: &ignore::Error| BadGlob { glob: glob.to_owned(), reason: reason(error) };
        let mut builder = OverrideBuilder::new(std::env::current_dir().unwrap_or_default());
        for glob in globs {
            builder.add(glob).map_err(|error| bad(glob, &error))?;
        }
        let globs = builder.build().map_err(|error| bad("as a whole", &error))?;
        Ok(Options { globs, ..self })
    }

    /// Sets limits: the names in the folders that are open at a time stay within [`Limits::memory`].
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// Takes the path `-` for standard input, not for a folder of this name.
    #[must_use]
    pub fn dash(self, wanted: bool) -> Self {
        Options { dash: wanted, ..self }
    }

    /// Returns whether the globs take a file, or let a folder be entered.
    pub(super) fn takes(&self, path: &std::path::Path, is_folder: bool) -> bool {
        !self.globs.matched(path, is_folder).is_ignore()
    }
}

/// The reason of an error, without the line and the path that it is about.
fn reason(error: &ignore::Error) -> String {
    match error {
        ignore::Error::WithPath { err, .. }
        | ignore::Error::WithLineNumber { err, .. }
        | ignore::Error::WithDepth { err, .. } => reason(err),
        error => error.to_string(),
    }
}
