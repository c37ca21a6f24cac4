//! Options for checking files.

use ndbytes::walk;
use ndbytes::{Checker, Depth, Finding, Limits, Profile};
use ndbytes_compare::digest::Digest;

/// How to check files, and how large batches are.
///
/// ```
/// use arrow_array::StringArray;
/// use ndbytes::Depth;
/// use ndbytes_arrow::lake::{Options, Table, check_batch};
///
/// let options = Options::new().depth(Depth::Structure).digest(true);
/// let files = check_batch(&StringArray::from(vec!["../../samples/surface.ra"]), Table::Files, &options)?;
/// assert_eq!(files.column_by_name("digest").unwrap().null_count(), 0);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Options {
    pub(crate) profile: Profile,
    pub(crate) depth: Depth,
    pub(crate) limits: Limits,
    pub(crate) digest: bool,
    pub(crate) gitignore: bool,
    pub(crate) rows: usize,
    pub(crate) bytes: usize,
    pub(crate) help: fn(&Finding) -> Option<String>,
    pub(crate) demands: Option<Digest>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            profile: Profile::default(),
            depth: Depth::default(),
            limits: Limits::default(),
            digest: false,
            gitignore: false,
            rows: 8192,
            bytes: 16 << 20,
            help: |finding| finding.help.clone(),
            demands: None,
        }
    }
}

impl Options {
    /// Creates strict and complete options, with the default limits and without digests.
    pub fn new() -> Self {
        Options::default()
    }

    /// Sets the profile, which determines the severity of findings.
    #[must_use]
    pub fn profile(self, profile: Profile) -> Self {
        Options { profile, ..self }
    }

    /// Sets the depth of the check.
    #[must_use]
    pub fn depth(self, depth: Depth) -> Self {
        Options { depth, ..self }
    }

    /// Sets the limits on the cost of each file.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// Requests a digest of each file, for which all of its bytes are read. The digest is in the `files` table.
    #[must_use]
    pub fn digest(self, wanted: bool) -> Self {
        Options { digest: wanted, ..self }
    }

    /// Sets the number of files, or members of archives, per batch of [`Lake`](super::Lake). The default is 8192.
    #[must_use]
    pub fn rows(self, rows: usize) -> Self {
        Options { rows: rows.max(1), ..self }
    }

    /// Sets the number of bytes per batch of [`Lake`](super::Lake). The default is 16 MiB.
    #[must_use]
    pub fn bytes(self, bytes: usize) -> Self {
        Options { bytes: bytes.max(1), ..self }
    }

    /// Sets the text of the `help` column. The default is [`Finding::help`].
    #[must_use]
    pub fn help(self, help: fn(&Finding) -> Option<String>) -> Self {
        Options { help, ..self }
    }

    /// Sets the digest of the requirements of a [`Judge`](super::Judge). Rows from an earlier run are reused only if its requirements were
    /// the same.
    #[must_use]
    pub fn demands(self, demands: Option<Digest>) -> Self {
        Options { demands, ..self }
    }

    /// Skips what ripgrep skips in directories: hidden files, and everything that `.gitignore` and similar files name.
    #[must_use]
    pub fn gitignore(self, wanted: bool) -> Self {
        Options { gitignore: wanted, ..self }
    }

    pub(crate) fn walk(&self) -> walk::Options {
        walk::Options::new().gitignore(self.gitignore).limits(self.limits)
    }

    pub(crate) fn checker(&self) -> Checker {
        Checker::new().profile(self.profile).depth(self.depth).limits(self.limits)
    }
}
