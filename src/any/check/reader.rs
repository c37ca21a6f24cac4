//! Reactions of a reference reader that depend on more than the findings.

use super::Checker;
use super::archive::of_archive;
use crate::b2nd;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::report::{Report, Verdict};
use crate::findings::rule::{Depth, Profile, Reference, Severity};
use crate::findings::settle::{is_content, is_open, settle};
use crate::format::Format;
use crate::format::names::{Content, Name};
use crate::zip::STORE;

impl Checker {
    /// Sets the reaction of python-blosc2 to a file whose name alone determines how python-blosc2 reads it.
    pub(super) fn settle_by_name(&self, input: &Input<'_>, findings: &mut [Finding]) -> Result<()> {
        let name = input.path().and_then(Name::of).map(|name| name.content);
        if name != Some(Content::Archive(Format::B2nd)) {
            return b2nd::settle(input, findings);
        }
        // The leaves were not checked.
        let reaction = of_archive(input, Some(Format::B2nd), |bytes| self.reaction(bytes), |_| false)?;
        reaction.into_iter().for_each(|reaction| settle(findings, reaction));
        Ok(())
    }

    /// The reaction of a file's reader to its bytes; `None` if it is not known.
    fn reaction(&self, bytes: &[u8]) -> Result<Option<Reference>> {
        let checker = Checker { profile: Profile::Reference, frames: true, ..*self };
        let report = checker.check_file(Input::from_slice(bytes, self.limits))?;
        let is_refused = |finding: &Finding| finding.reference == Reference::Refuses;
        Ok(match report.verdict() {
            Verdict::Ok | Verdict::Warning => Some(Reference::Accepts),
            Verdict::Unforeseen => None,
            Verdict::Error => report.findings().iter().any(is_refused).then_some(Reference::Refuses),
        })
    }

    /// Sets the reaction of an archive's reader if it does not follow from the findings.
    pub(super) fn react(&self, input: &Input<'_>, content: Option<Format>, report: &mut Report) -> Result<()> {
        // A store may contain objects that are not judged here. They can prevent python-blosc2 from reading the store even without
        // any other finding.
        let is_store = content == Some(Format::B2nd);
        let is_asked = is_open(report.findings()) || is_store && self.profile == Profile::Reference;
        if self.depth != Depth::Payload || !is_asked {
            return Ok(());
        }
        let is_of = |finding: &Finding, name: &str| finding.member.as_deref() == Some(name) && is_content(finding);
        let is_clean = |name: &str| !report.findings().iter().any(|finding| is_of(finding, name));
        let reaction = of_archive(input, content, |bytes| self.reaction(bytes), is_clean)?;
        if reaction.is_some() || is_store {
            report.settle(reaction, self.profile);
        }
        let is_explained = report.findings().iter().any(|finding| finding.severity == Severity::Error);
        if is_store && reaction == Some(Reference::Refuses) && !is_explained {
            let message = "python-blosc2 cannot read all of its entries";
            let finding = Finding::new(&STORE, "", 0..input.length(), message).in_archive_of(content);
            report.add_finding(finding, self.profile);
        }
        Ok(())
    }
}
