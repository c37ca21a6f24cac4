//! The example of a rule: the smallest file in the corpus that breaks it, embedded as text.

use ndbytes::{Checker, Finding, Format, Limits, Profile, Result, Rule};

/// Three lines per rule. The first has its name, the file in the corpus and the memory for checking it; the second is
/// the title of the file; the third has its bytes. A test generates them from the corpus.
const EXAMPLES: &str = include_str!("examples.txt");

/// A file that breaks a rule.
pub struct Example {
    /// The path below `corpus` in the published corpus; `tests/corpus` has its recipe.
    pub path: &'static str,
    /// A description of the file.
    pub title: &'static str,
    pub bytes: Vec<u8>,
    memory: Option<u64>,
}

impl Example {
    /// Returns the example of a rule, or `None` if no single file breaks it.
    pub fn of(rule: &Rule) -> Option<Self> {
        let mut lines = EXAMPLES.lines();
        while let (Some(head), Some(title), Some(bytes)) = (lines.next(), lines.next(), lines.next()) {
            let mut words = head.split(' ');
            if words.next() == Some(rule.id) {
                let (path, memory) = (words.next()?, words.next().and_then(|memory| memory.parse().ok()));
                return Some(Example { path, title, bytes: parse(bytes)?, memory });
            }
        }
        None
    }

    /// Returns the violations of the rule in the file, and the format of the file.
    pub fn findings(&self, rule: &Rule) -> Result<(Vec<Finding>, Option<Format>)> {
        // Violations of a rule without a severity are found only in profile reference.
        let profile = if rule.severity.is_some() { Profile::Strict } else { Profile::Reference };
        let mut limits = Limits::default();
        limits = self.memory.map_or(limits, |memory| limits.memory(memory));
        let report = Checker::new().profile(profile).limits(limits).check_slice(&self.bytes)?;
        let of_rule = report.findings().iter().filter(|finding| finding.rule == rule);
        Ok((of_rule.cloned().collect(), report.format))
    }
}

/// Parses a text such as `0000 00x8 ff`: hexadecimal digits, and runs of one byte.
fn parse(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for word in text.split(' ') {
        let (digits, times) = match word.split_once('x') {
            Some((digits, times)) => (digits, times.parse().ok()?),
            None => (word, 1),
        };
        let run: Option<Vec<u8>> = (0..digits.len())
            .step_by(2)
            .map(|place| u8::from_str_radix(digits.get(place..place + 2)?, 16).ok())
            .collect();
        bytes.extend(run?.repeat(times));
    }
    Some(bytes)
}
