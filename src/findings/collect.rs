//! Collects findings.

use super::finding::Finding;
use super::rule::Rule;
use super::rule::Severity;

/// The maximum number of findings about one rule that are kept. The last one states how many more there are.
const KEPT_OF_A_RULE: u64 = 20;

/// A collection of findings. Its size is bounded, even for hostile files.
#[derive(Debug, Default)]
pub struct Findings {
    kept: Vec<Finding>,
    /// The number of findings per broken rule.
    counts: Vec<(&'static Rule, u64)>,
}

impl Findings {
    /// Adds a finding, or only counts it if there are already enough for its rule.
    pub fn push(&mut self, finding: Finding) {
        self.push_with(finding.rule, || finding);
    }

    /// Creates a finding if it will be kept.
    pub fn push_with(&mut self, rule: &'static Rule, finding: impl FnOnce() -> Finding) {
        let count = match self.counts.iter_mut().find(|(counted, _)| *counted == rule) {
            Some((_, count)) => count,
            None => {
                self.counts.push((rule, 0));
                &mut self.counts.last_mut().expect("one was added").1
            }
        };
        *count += 1;
        if *count <= KEPT_OF_A_RULE {
            self.kept.push(finding());
        }
    }

    /// Returns whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The findings that were kept, in the order in which they were found.
    pub fn into_vec(mut self) -> Vec<Finding> {
        for (rule, count) in self.counts {
            let more = count.saturating_sub(KEPT_OF_A_RULE);
            if let Some(last) = self.kept.iter_mut().rfind(|finding| finding.rule == rule).filter(|_| more > 0) {
                last.message.push_str(&format!(" (and {more} more of this kind)"));
            }
        }
        self.kept
    }
}

impl Extend<Finding> for Findings {
    fn extend<T: IntoIterator<Item = Finding>>(&mut self, findings: T) {
        findings.into_iter().for_each(|finding| self.push(finding));
    }
}

/// Splits findings into tolerated errors and warnings.
///
/// # Errors
/// Returns the first error that is not tolerated.
pub(crate) fn admit(
    findings: Vec<Finding>,
    is_passed_over: impl Fn(&Finding) -> bool,
) -> Result<(Vec<Finding>, Vec<Finding>), Box<Finding>> {
    let (mut passed_over, mut warnings) = (Vec::new(), Vec::new());
    for finding in findings {
        match finding.rule.severity {
            Some(Severity::Error) if is_passed_over(&finding) => passed_over.push(finding),
            Some(Severity::Error) => return Err(finding.into()),
            Some(Severity::Warning | Severity::Unforeseen) => warnings.push(finding),
            None => {}
        }
    }
    Ok((passed_over, warnings))
}

/// Returns the findings, all of which are warnings.
///
/// # Errors
/// Returns the first error among the findings.
pub(crate) fn refuse_errors(findings: Vec<Finding>) -> Result<Vec<Finding>, Box<Finding>> {
    if let Some(error) = findings.iter().find(|finding| finding.is_error()) {
        return Err(Box::new(error.clone()));
    }
    Ok(findings.into_iter().filter(|finding| finding.rule.severity.is_some()).collect())
}
