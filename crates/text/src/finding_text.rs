//! The words of a finding, for people and for machines.

use crate::text::readable;
use ndbytes::{Finding, Remedy};

/// Returns the bytes that a finding is about: `bytes 0x4..0x8`, `at byte 0x4`. `None` if it is not about any.
pub fn byte_range(finding: &Finding) -> Option<String> {
    match (finding.length, finding.offset) {
        (0, 0) => None,
        (0, offset) => Some(format!("at byte {offset:#x}")),
        (length, offset) => Some(format!("bytes {offset:#x}..{:#x}", offset.saturating_add(length))),
    }
}

/// Returns the consequence of a finding, or advice about it, in the words of the tool.
pub fn help(finding: &Finding) -> Option<String> {
    let remedy = finding.remedy().and_then(|remedy| match remedy {
        Remedy::Tolerate => Some(format!("`cat --tolerate {}` ignores it", finding.rule.id)),
        Remedy::MoreMemory => Some("`--max-memory` grants more".to_owned()),
        Remedy::MoreOutput => Some("`--max-output` allows more".to_owned()),
        Remedy::MoreTime => Some("`--max-time` grants more".to_owned()),
        // The tool has no option for the others.
        _ => None,
    });
    match (&finding.help, remedy) {
        (Some(help), Some(remedy)) => Some(format!("{help}; {remedy}")),
        (help, remedy) => help.clone().or(remedy),
    }
}

/// Returns the help to append to a message in a report with one text per finding; empty if there is none.
pub fn help_after(finding: &Finding) -> String {
    help(finding).map_or_else(String::new, |help| format!("; help: {}", readable(&help)))
}
