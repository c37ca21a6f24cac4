//! The checker's verdict on what was made.

use super::whole::Whole;
use crate::any::check::Checker;
use crate::bytes::limits::Limits;
use crate::findings::rule::{Profile, Rule};
use std::collections::BTreeSet;

/// The ids of the rules that a file breaks, in profile strict.
pub(super) fn broken_rules(file: &[u8], memory: Option<u64>) -> BTreeSet<&'static str> {
    let limits = memory.map_or_else(super::map::limits, |memory| Limits::default().memory(memory));
    let checker = Checker::new().profile(Profile::Strict).limits(limits);
    let report = checker.check_slice(file).expect("bytes in memory can be read");
    report.findings().iter().map(|finding| finding.rule.id).collect()
}

/// Returns whether a file breaks a rule and no other, but for those that it cannot come without.
pub(super) fn breaks_alone(whole: &Whole, rule: &Rule, company: &[&'static str], memory: Option<u64>) -> bool {
    let broken = broken_rules(&whole.bytes, memory);
    broken.contains(rule.id) && broken.iter().all(|id| *id == rule.id || company.contains(id))
}
