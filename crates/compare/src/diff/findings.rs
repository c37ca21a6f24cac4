//! Compares the findings of two files: which are new, and which are gone.
//!
//! A finding has an offset, which moves when something is inserted before it. Its identity is therefore the rule, the
//! member and the key of the field. Several findings may share an identity; they are matched one to one.

use super::report::NewAndGone;
use ndbytes::{ByteMap, Finding, Report};
use std::collections::HashMap;
use std::sync::Arc;

/// The maximum number of findings of each kind that are listed.
const MOST: usize = 1000;

/// The identity of a finding: its rule, the member, and the key of its field.
type Identity = (&'static str, Option<Arc<str>>, String);

/// Compares findings by rule and key.
pub(super) fn compare(a: (&Report, Option<&ByteMap>), b: (&Report, Option<&ByteMap>)) -> NewAndGone {
    let (one, other) = (identities(a), identities(b));
    NewAndGone { gone: only(a.0.findings(), &one, &other), new: only(b.0.findings(), &other, &one) }
}

/// Returns the findings without a counterpart; among findings with the same identity, these are the last ones.
fn only(findings: &[Finding], identities: &[Identity], others: &[Identity]) -> Vec<Finding> {
    let mut left: HashMap<&Identity, usize> = HashMap::new();
    others.iter().for_each(|identity| *left.entry(identity).or_default() += 1);
    let is_alone = |(_, identity): &(&Finding, &Identity)| match left.get_mut(*identity) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    };
    findings.iter().zip(identities).filter(is_alone).map(|(finding, _)| finding.clone()).take(MOST).collect()
}

/// Returns the identities of all findings in a report.
fn identities((report, map): (&Report, Option<&ByteMap>)) -> Vec<Identity> {
    let findings = report.findings();
    let spans = map.filter(|_| !findings.is_empty()).map(ByteMap::keyed_spans).unwrap_or_default();
    let keyed = spans.into_iter().filter_map(|span| Some(((span.space, span.path), span.key?)));
    let keys: HashMap<(u32, String), String> = keyed.collect();
    let identity = |finding: &Finding| {
        let key = keys.get(&(finding.space, finding.field.clone())).unwrap_or(&finding.field);
        (finding.rule.id, finding.member.clone(), key.clone())
    };
    findings.iter().map(identity).collect()
}
