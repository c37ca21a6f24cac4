//! Findings that are tolerated if a caller tolerates them.

use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::Reference;
use crate::options::Settings;

/// Returns whether a finding is skipped: the options say so, and ML.NET reads on.
pub(super) fn is_passed_over(settings: &Settings, finding: &Finding) -> bool {
    finding.reference == Reference::Accepts && settings.tolerates(finding.rule)
}

/// Passes over a finding in a block, or fails with it.
pub(super) fn admit(settings: &Settings, finding: Finding) -> Result<()> {
    if finding.is_error() && !is_passed_over(settings, &finding) { Err(finding.into()) } else { Ok(()) }
}
