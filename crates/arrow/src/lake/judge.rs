//! Demands on files that their formats do not make.

use ndbytes::{Limits, Report};
use std::fmt::Debug;
use std::path::Path;

/// Demands on files that their formats do not make, such as those of a project. [`Options::demands`](super::Options::demands) tells
/// them from those of an earlier run.
pub trait Judge: Debug + Sync {
    /// Adds to the report on a file the findings about what is demanded of it. What is read for them stays within the limits.
    fn judge(&self, path: &Path, report: Report, limits: Limits) -> Report;

    /// Returns whether the findings about a file, or a member by its address, depend on other files. They are made in every run.
    fn is_about_others(&self, path: &Path) -> bool;
}
