//! The options for searching directories.

use crate::bytes::limits::Limits;
use ignore::overrides::{Override, OverrideBuilder};

/// Options for searching directories.
///
/// ```
/// use ndbytes::walk::{Options, Walk};
///
/// let options = Options::new().gitignore(true).globs(["*.idv"])?;
/// for found in Walk::of_path("samples", options) {
///     assert!(found?.path.ends_with("trees.idv"));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Options {
    pub(super) globs: Override,
    pub(super) gitignore: bool,
    pub(super) limits: Limits,
    pub(super) dash: bool,
}

/// The error for an invalid glob.
///
/// ```
/// use ndbytes::walk::Options;
///
/// let error = Options::new().globs(["data/[a"]).unwrap_err();
/// assert!(error.to_string().starts_with("the glob data/[a is not valid"));
/// ```
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
    /// Creates options that find everything except `.git`, with the default limits.
    pub fn new() -> Self {
        Options::default()
    }

    /// Skips everything that ripgrep skips: hidden files, and everything listed in `.gitignore`, `.ignore` or git's other ignore
    /// files.
    #[must_use]
    pub fn gitignore(self, wanted: bool) -> Self {
        Options { gitignore: wanted, ..self }
    }

    /// Includes a file in a directory only if its path relative to the working directory matches one of the globs. Globs have the
    /// syntax of .gitignore. A glob that starts with `!` excludes files.
    ///
    /// # Errors
    /// [`BadGlob`] for the first invalid glob.
    pub fn globs<'g>(self, globs: impl IntoIterator<Item = &'g str>) -> Result<Self, BadGlob> {
        let bad = |glob: &str, error: &ignore::Error| BadGlob { glob: glob.to_owned(), reason: reason(error) };
        let mut builder = OverrideBuilder::new(std::env::current_dir().unwrap_or_default());
        for glob in globs {
            builder.add(glob).map_err(|error| bad(glob, &error))?;
        }
        let globs = builder.build().map_err(|error| bad("as a whole", &error))?;
        Ok(Options { globs, ..self })
    }

    /// Sets the limits. The names in the directories that are open at the same time must fit into [`Limits::memory`].
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// Treats the path `-` as standard input, instead of as a file or directory with this name.
    #[must_use]
    pub fn dash(self, wanted: bool) -> Self {
        Options { dash: wanted, ..self }
    }

    /// Returns whether the globs include a file, or allow a directory to be entered.
    pub(super) fn takes(&self, path: &std::path::Path, is_folder: bool) -> bool {
        !self.globs.matched(path, is_folder).is_ignore()
    }
}

/// Returns the reason for an error, without the line and the path.
fn reason(error: &ignore::Error) -> String {
    match error {
        ignore::Error::WithPath { err, .. }
        | ignore::Error::WithLineNumber { err, .. }
        | ignore::Error::WithDepth { err, .. } => reason(err),
        error => error.to_string(),
    }
}
