//! The entries that a walk has skipped.

use std::fmt;

/// The numbers of entries that a walk has skipped. A folder counts as one, whatever is in it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Passed {
    /// Entries that are called `.git`.
    pub git: u64,
    /// Links to folders.
    pub links: u64,
    /// Entries that ripgrep's rules leave out: see [`Options::gitignore`](super::Options::gitignore).
    pub ignored: u64,
    /// Entries that the globs leave out: see [`Options::globs`](super::Options::globs).
    pub globs: u64,
}

impl Passed {
    /// The kinds of entries with their numbers, each with a name for data.
    pub fn kinds(&self) -> [(&'static str, u64); 4] {
        [("git", self.git), ("links", self.links), ("ignored", self.ignored), ("globs", self.globs)]
    }

    /// Returns whether nothing was skipped.
    pub fn is_empty(&self) -> bool {
        self.kinds().iter().all(|(_, number)| *number == 0)
    }
}

impl fmt::Display for Passed {
    /// Writes what was skipped as one phrase: `1 .git, 2 links to folders`. It is empty if nothing was.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let links = if self.links == 1 { "link to a folder" } else { "links to folders" };
        let kinds = [
            (self.git, ".git"),
            (self.links, links),
            (self.ignored, "by the rules of .gitignore"),
            (self.globs, "by the globs"),
        ];
        let kinds = kinds.into_iter().filter(|(number, _)| *number > 0);
        for (place, (number, what)) in kinds.enumerate() {
            write!(f, "{}{number} {what}", if place > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}
