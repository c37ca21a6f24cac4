//! Findings that are tolerated on request.

use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::Reference;
use crate::options::Settings;

/// Returns whether a finding is skipped, because the options tolerate it and ML.NET continues reading.
pub(super) fn is_passed_over(settings: &Settings, finding: &Finding) -> bool {
    finding.reference == Reference::Accepts && settings.tolerates(finding.rule)
}

/// Skips a finding in a block, or fails with its error.
pub(super) fn admit(settings: &Settings, finding: Finding) -> Result<()> {
    if finding.is_error() && !is_passed_over(settings, &finding) { Err(finding.into()) } else { Ok(()) }
}
