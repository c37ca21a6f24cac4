//! Requirements on files beyond those of their formats.

use ndbytes::{Limits, Report};
use std::fmt::Debug;
use std::path::Path;

/// Requirements on files beyond those of their formats, such as a project's own. [`Options::demands`](super::Options::demands)
/// distinguishes them from the requirements of an earlier run.
pub trait Judge: Debug + Sync {
    /// Adds findings about the requirements to the report on a file. Any reading for this stays within the limits.
    fn judge(&self, path: &Path, report: Report, limits: Limits) -> Report;

    /// Returns whether the findings about a file, or about a member by its address, depend on other files. Such findings are computed in
    /// every run.
    fn is_about_others(&self, path: &Path) -> bool;
}
