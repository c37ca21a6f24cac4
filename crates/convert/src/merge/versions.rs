//! The three versions of a file.

use std::convert::Infallible;
use std::fmt;

/// One of the three versions of a file.
///
/// ```
/// use ndbytes_convert::merge::{Version, Versions};
///
/// let lengths = Versions { base: 10, ours: 10, theirs: 12 };
/// assert_eq!(lengths.changed(), Some(Version::Theirs));
/// assert_eq!(lengths.of(Version::Theirs), 12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Version {
    /// The common base.
    Base,
    /// Our version.
    Ours,
    /// Their version.
    Theirs,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Version::Base => "base",
            Version::Ours => "ours",
            Version::Theirs => "theirs",
        })
    }
}

/// A value for each of the three versions.
///
/// ```
/// use ndbytes_convert::merge::{Version, Versions};
///
/// let names = Versions { base: "a", ours: "b", theirs: "c" };
/// assert_eq!(names.changed(), None); // a conflict
/// assert_eq!(names.map(str::len), Versions { base: 1, ours: 1, theirs: 1 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Versions<T> {
    /// The value for the common base.
    pub base: T,
    /// The value for our version.
    pub ours: T,
    /// The value for their version.
    pub theirs: T,
}

impl<T> Versions<T> {
    /// References to all three.
    pub fn each_ref(&self) -> Versions<&T> {
        Versions { base: &self.base, ours: &self.ours, theirs: &self.theirs }
    }

    /// Applies a function to all three.
    pub fn map<U>(self, mut function: impl FnMut(T) -> U) -> Versions<U> {
        Versions { base: function(self.base), ours: function(self.ours), theirs: function(self.theirs) }
    }

    /// Applies a function to all three, stopping at the first error.
    ///
    /// # Errors
    /// The first error of the function.
    pub fn try_map<U, E>(self, mut function: impl FnMut(T) -> Result<U, E>) -> Result<Versions<U>, E> {
        Ok(Versions { base: function(self.base)?, ours: function(self.ours)?, theirs: function(self.theirs)? })
    }

    /// Pairs each value with another.
    pub fn zip<U>(self, other: Versions<U>) -> Versions<(T, U)> {
        Versions { base: (self.base, other.base), ours: (self.ours, other.ours), theirs: (self.theirs, other.theirs) }
    }

    /// One of the values.
    pub fn of(self, version: Version) -> T {
        match version {
            Version::Base => self.base,
            Version::Ours => self.ours,
            Version::Theirs => self.theirs,
        }
    }
}

impl Versions<Version> {
    /// Each of the versions.
    pub const EACH: Self = Versions { base: Version::Base, ours: Version::Ours, theirs: Version::Theirs };
}

impl Version {
    /// The version to use: the changed one, or ours if both were changed in the same way. `None` if they were changed differently.
    ///
    /// # Errors
    /// The first error of the comparison.
    pub fn changed<E>(mut is_same: impl FnMut(Version, Version) -> Result<bool, E>) -> Result<Option<Version>, E> {
        if is_same(Version::Ours, Version::Theirs)? || is_same(Version::Base, Version::Theirs)? {
            return Ok(Some(Version::Ours));
        }
        Ok(is_same(Version::Base, Version::Ours)?.then_some(Version::Theirs))
    }
}

impl<T: PartialEq> Versions<T> {
    /// The version to use: see [`Version::changed`].
    pub fn changed(&self) -> Option<Version> {
        let all = self.each_ref();
        let changed = Version::changed(|one, other| Ok::<bool, Infallible>(all.of(one) == all.of(other)));
        changed.unwrap_or_else(|never| match never {})
    }
}
