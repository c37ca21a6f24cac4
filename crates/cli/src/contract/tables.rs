//! Adds the findings of contracts to tables about many files.

use super::judge::Demands;
use super::pair;
use ndbytes::{Limits, Report};
use ndbytes_arrow::lake::Judge;
use std::path::Path;

impl Judge for Demands {
    fn judge(&self, path: &Path, report: Report, limits: Limits) -> Report {
        self.judged(path, report, limits)
    }

    fn is_about_others(&self, path: &Path) -> bool {
        self.has_pair(path) || pair::labels(path).is_some()
    }
}
