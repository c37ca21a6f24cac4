//! The checker's verdict on what was made.

use super::company::comes_with;
use ndbytes::{Checker, Limits, Profile, Report, Result, Rule};
use ndbytes_schemas::blosc2::folder::FRAME_FILE;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, io, process};

/// A file as the checker takes it.
#[derive(Clone, Copy)]
pub(super) struct Judged<'f> {
    /// Its bytes; of a folder, those of its first file.
    pub bytes: &'f [u8],
    /// The other files of a folder.
    pub others: &'f [(String, Vec<u8>)],
    /// The memory that the check may take, in bytes; `None` for what the forge grants itself.
    pub memory: Option<u64>,
}

impl Judged<'_> {
    /// The ids of the rules that the file breaks.
    pub(super) fn broken_rules(self, profile: Profile) -> BTreeSet<&'static str> {
        let limits = self.memory.map_or_else(super::map::limits, |memory| Limits::default().memory(memory));
        let checker = Checker::new().profile(profile).limits(limits);
        let report = match self.others {
            [] => checker.check_slice(self.bytes),
            others => in_a_folder(self.bytes, others, |folder| checker.check(folder)),
        };
        let report = report.as_ref().map(Report::findings).unwrap_or_default();
        report.iter().map(|finding| finding.rule.id).collect()
    }

    /// Returns whether the file breaks a rule and no other, but for one that it cannot come without. A rule without a
    /// severity is only found in profile reference.
    pub fn breaks_alone(self, rule: &Rule) -> bool {
        let profile = if rule.severity.is_some() { Profile::Strict } else { Profile::Reference };
        let broken = self.broken_rules(profile);
        broken.contains(rule.id) && broken.iter().all(|id| *id == rule.id || comes_with(rule.id, id))
    }
}

/// Lends a folder of these files, which is removed afterwards.
fn in_a_folder<T>(first: &[u8], others: &[(String, Vec<u8>)], look: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    let folder = Scratch::new();
    let made = folder.fill(first, others);
    made.map_err(|error| ndbytes::Error::io(&folder.0, error))?;
    look(&folder.0)
}

/// A folder of this process alone. It is removed on drop.
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
        // What is left is in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}
