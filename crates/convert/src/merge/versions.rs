//! The three versions of a file.

use std::convert::Infallible;
use std::fmt;

/// One of the three versions of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Version {
    /// The version that both began with.
    Base,
    /// The version that one person made of it.
    Ours,
    /// The version that the other one made of it.
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

/// Something of each of the three versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Versions<T> {
    /// The one of the version that both began with.
    pub base: T,
    /// The one of ours.
    pub ours: T,
    /// The one of theirs.
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

    /// Applies a function to all three, up to the first error.
    ///
    /// # Errors
    /// The first error of the function.
    pub fn try_map<U, E>(self, mut function: impl FnMut(T) -> Result<U, E>) -> Result<Versions<U>, E> {
        Ok(Versions { base: function(self.base)?, ours: function(self.ours)?, theirs: function(self.theirs)? })
    }

    /// Pairs with something else of each version.
    pub fn zip<U>(self, other: Versions<U>) -> Versions<(T, U)> {
        Versions { base: (self.base, other.base), ours: (self.ours, other.ours), theirs: (self.theirs, other.theirs) }
    }

    /// One of them.
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
    /// The version that counts: the one that was changed, or ours if both were changed in the same way. `None` if both were
    /// changed in different ways.
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
    /// The version that counts: see [`Version::changed`].
    pub fn changed(&self) -> Option<Version> {
        let all = self.each_ref();
        let changed = Version::changed(|one, other| Ok::<bool, Infallible>(all.of(one) == all.of(other)));
        changed.unwrap_or_else(|never| match never {})
    }
}
