//! Runs the checker on generated files. Broken files are returned only if the checker agrees.

use super::linked_rules::comes_with;
use ndbytes::{Checker, Finding, Limits, Profile, Report, Result, Rule, Severity};
use ndbytes_schemas::blosc2::folder::FRAME_FILE;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, io, process};

/// A file in the form that the checker accepts.
#[derive(Clone, Copy)]
pub(super) struct Judged<'f> {
    /// Its bytes; for a directory, the bytes of its first file.
    pub bytes: &'f [u8],
    /// The other files of a directory.
    pub others: &'f [(String, Vec<u8>)],
    /// The memory limit for the check in bytes; `None` for the forge's own limit.
    pub memory: Option<u64>,
}

impl Judged<'_> {
    /// Returns the report on the file; `None` if it cannot be read.
    fn report(self, profile: Profile) -> Option<Report> {
        let limits = self.memory.map_or_else(super::map::limits, |memory| Limits::default().memory(memory));
        let checker = Checker::new().profile(profile).limits(limits);
        let report = match self.others {
            [] => checker.check_slice(self.bytes),
            others => in_a_folder(self.bytes, others, |folder| checker.check(folder)),
        };
        report.ok()
    }

    /// The findings about the file.
    pub fn findings(self, profile: Profile) -> Vec<Finding> {
        self.report(profile).map(|report| report.findings().to_vec()).unwrap_or_default()
    }

    /// Returns whether a profile accepts the file. A file without a verdict is not accepted. A gzip file is not invalid
    /// just because a reader does not unpack gzip itself.
    pub fn is_accepted(self, profile: Profile) -> bool {
        let is_passed_over =
            |finding: &Finding| finding.severity == Severity::Warning || finding.rule.id == "gzip/compressed";
        self.report(profile).is_some_and(|report| report.findings().iter().all(is_passed_over))
    }

    /// Returns the ids of the rules that the file breaks.
    pub fn broken_rules(self, profile: Profile) -> BTreeSet<&'static str> {
        self.findings(profile).iter().map(|finding| finding.rule.id).collect()
    }

    /// Returns whether the file breaks this rule and no others, except rules that are always broken with it. Violations
    /// of a rule without a severity are found only in profile reference.
    pub fn breaks_alone(self, rule: &Rule) -> bool {
        self.breaks_beside(rule, &BTreeSet::new())
    }

    /// Like `breaks_alone`, but for a file derived from another one that already violates some rules.
    pub fn breaks_beside(self, rule: &Rule, before: &BTreeSet<&str>) -> bool {
        let broken = self.broken_rules(profile_of(rule));
        let is_foreseen = |id: &&str| *id == rule.id || before.contains(id) || comes_with(rule.id, id);
        broken.contains(rule.id) && broken.iter().all(is_foreseen)
    }
}

/// Returns the profile in which violations of a rule are found.
pub(super) fn profile_of(rule: &Rule) -> Profile {
    if rule.severity.is_some() { Profile::Strict } else { Profile::Reference }
}

/// Calls a function with a directory of these files, which is removed afterwards.
fn in_a_folder<T>(first: &[u8], others: &[(String, Vec<u8>)], look: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    let folder = Scratch::new();
    let made = folder.fill(first, others);
    made.map_err(|error| ndbytes::Error::io(&folder.0, error))?;
    look(&folder.0)
}

/// A directory of this process. It is removed on drop.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        Scratch(env::temp_dir().join(format!("ndbytes-forge-{}-{number}", process::id())))
    }

    fn fill(&self, first: &[u8], others: &[(String, Vec<u8>)]) -> io::Result<()> {
        fs::create_dir(&self.0)?;
        fs::write(self.0.join(FRAME_FILE), first)?;
        others.iter().try_for_each(|(name, bytes)| fs::write(self.0.join(name), bytes))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Leftovers would be in the directory for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}
