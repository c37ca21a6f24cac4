//! How files are checked.

use ndbytes::walk;
use ndbytes::{Checker, Depth, Finding, Limits, Profile};
use ndbytes_compare::digest::Digest;

/// How files are checked, and how large batches are.
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
    /// Strict, in full, within the default limits, without digests.
    pub fn new() -> Self {
        Options::default()
    }

    /// Chooses the profile that findings are weighed by.
    #[must_use]
    pub fn profile(self, profile: Profile) -> Self {
        Options { profile, ..self }
    }

    /// Chooses the scope of the check.
    #[must_use]
    pub fn depth(self, depth: Depth) -> Self {
        Options { depth, ..self }
    }

    /// Sets limits on the cost of each file.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// Asks for the digest of the bytes of each file, for which all of them are read. The table `files` shows it.
    #[must_use]
    pub fn digest(self, wanted: bool) -> Self {
        Options { digest: wanted, ..self }
    }

    /// Sets the number of files, or members of archives, after which a batch of [`Lake`](super::Lake) ends. The default is 8192.
    #[must_use]
    pub fn rows(self, rows: usize) -> Self {
        Options { rows: rows.max(1), ..self }
    }

    /// Sets the number of bytes after which a batch of [`Lake`](super::Lake) ends. The default is 16 MiB.
    #[must_use]
    pub fn bytes(self, bytes: usize) -> Self {
        Options { bytes: bytes.max(1), ..self }
    }

    /// Chooses the words of the column `help`. The default is [`Finding::help`].
    #[must_use]
    pub fn help(self, help: fn(&Finding) -> Option<String>) -> Self {
        Options { help, ..self }
    }

    /// Sets the digest of the demands of a [`Judge`](super::Judge). Rows of an earlier run serve only if its demands were the same.
    #[must_use]
    pub fn demands(self, demands: Option<Digest>) -> Self {
        Options { demands, ..self }
    }

    /// Skips what ripgrep skips in folders among the paths: hidden files, and what `.gitignore` and the like name.
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
