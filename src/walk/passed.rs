//! The entries that a walk skipped.

use std::fmt;

/// The number of entries that a walk skipped. A directory counts as one entry, regardless of its content.
///
/// ```
/// use ndbytes::walk::{Options, Walk};
///
/// let mut walk = Walk::of_path("samples", Options::new().globs(["*.idv"])?);
/// walk.by_ref().for_each(drop);
/// assert_eq!(walk.passed().to_string(), "5 by the globs");
/// # Ok::<(), ndbytes::walk::BadGlob>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Passed {
    /// Entries named `.git`.
    pub git: u64,
    /// Links to directories.
    pub links: u64,
    /// Entries skipped by ripgrep's rules: see [`Options::gitignore`](super::Options::gitignore).
    pub ignored: u64,
    /// Entries excluded by globs: see [`Options::globs`](super::Options::globs).
    pub globs: u64,
}

impl Passed {
    /// The number of entries of each kind, with a machine-readable name.
    pub fn kinds(&self) -> [(&'static str, u64); 4] {
        [("git", self.git), ("links", self.links), ("ignored", self.ignored), ("globs", self.globs)]
    }

    /// Returns whether nothing was skipped.
    pub fn is_empty(&self) -> bool {
        self.kinds().iter().all(|(_, number)| *number == 0)
    }
}

impl fmt::Display for Passed {
    /// Describes the skipped entries, such as `1 .git, 2 links to directories`. The description is empty if nothing was skipped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let links = if self.links == 1 { "link to a directory" } else { "links to directories" };
        let kinds =
            [(self.git, ".git"), (self.links, links), (self.ignored, "by .gitignore"), (self.globs, "by the globs")];
        let kinds = kinds.into_iter().filter(|(number, _)| *number > 0);
        for (place, (number, what)) in kinds.enumerate() {
            write!(f, "{}{number} {what}", if place > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}
