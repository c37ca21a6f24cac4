//! Findings that are passed over if a caller tolerates them.

use super::rules;
use crate::envelope::gzip;
use crate::findings::rule::Rule;
use crate::options::Settings;

/// Returns whether a rule says that the array, or the gzip member around it, is too short.
pub(super) fn is_short(rule: &Rule) -> bool {
    let short: &[&Rule] = &[&rules::TRUNCATED_PAYLOAD, &gzip::TRUNCATED];
    short.contains(&rule)
}

/// Returns whether a finding about a rule is passed over. Of a short array, the same is read inside gzip.
pub(super) fn is_passed_over(settings: &Settings, rule: &Rule) -> bool {
    // Without a header, there is nothing to read.
    (rule.is_tolerable() && settings.tolerates(rule))
        || (is_short(rule) && settings.tolerates(&rules::TRUNCATED_PAYLOAD))
}
