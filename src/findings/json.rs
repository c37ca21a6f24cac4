//! Findings, reports and rules as JSON: the shape in which the tool prints them.

use super::finding::Finding;
use super::report::{Part, Report, Verdict};
use super::rule::{Reference, Rule, Scope, Severity};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// Rule, severity, field, place, message, what there is of expected, found and help, and the reference reader's reaction. The
/// [word](super::finding::Remedy::word) of the remedy and the member follow if there are such.
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let remedy = self.remedy();
        let options = usize::from(remedy.is_some()) + usize::from(self.member.is_some());
        let mut object = to.serialize_struct("Finding", 11 + options)?;
        object.serialize_field("rule", self.rule.id)?;
        object.serialize_field("severity", &self.severity)?;
        object.serialize_field("field", &self.field)?;
        object.serialize_field("space", &self.space)?;
        object.serialize_field("offset", &self.offset)?;
        object.serialize_field("length", &self.length)?;
        object.serialize_field("message", &self.message)?;
        object.serialize_field("expected", &self.expected)?;
        object.serialize_field("found", &self.found)?;
        object.serialize_field("help", &self.help)?;
        object.serialize_field("reference", &self.reference)?;
        match remedy {
            Some(remedy) => object.serialize_field("remedy", remedy.word())?,
            None => object.skip_field("remedy")?,
        }
        match &self.member {
            Some(member) => object.serialize_field("member", &**member)?,
            None => object.skip_field("member")?,
        }
        object.end()
    }
}

/// Format, verdict and findings. Of a member, its name is for whoever knows the archive to say.
impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_struct("Part", 3)?;
        object.serialize_field("format", &self.format)?;
        object.serialize_field("verdict", &self.verdict())?;
        object.serialize_field("findings", self.findings)?;
        object.end()
    }
}

/// Format, verdict and findings: of an archive or a store, those of all members.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_struct("Report", 3)?;
        object.serialize_field("format", &self.format)?;
        object.serialize_field("verdict", &self.verdict())?;
        object.serialize_field("findings", self.findings())?;
        object.end()
    }
}

/// Everything about a rule. `severity` is `null` if the format allows a violation.
impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_struct("Rule", 8)?;
        object.serialize_field("id", self.id)?;
        object.serialize_field("scope", &self.scope)?;
        object.serialize_field("severity", &self.severity)?;
        object.serialize_field("reference", &self.reference)?;
        object.serialize_field("tolerable", &self.is_tolerable())?;
        object.serialize_field("since", self.since)?;
        object.serialize_field("doc", self.doc)?;
        object.serialize_field("source", self.source)?;
        object.end()
    }
}

impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// The word: `accepts`, `refuses` or `unforeseen`; `null` if no reader is concerned.
impl Serialize for Reference {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.word().serialize(to)
    }
}

/// The name that ids of rules begin with; `null` of general rules.
impl Serialize for Scope {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Scope::General => to.serialize_none(),
            Scope::Format(format) => to.collect_str(format),
            Scope::Gzip => to.serialize_str("gzip"),
            Scope::Zip => to.serialize_str("zip"),
            Scope::Contract => to.serialize_str("contract"),
        }
    }
}
