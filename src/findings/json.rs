//! Findings, reports and rules as JSON, in the form that the tool prints.

use super::finding::Finding;
use super::report::{Part, Report, Verdict};
use super::rule::{Reactions, Reference, Rule, Scope, Severity};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// Writes the rule, the severity, the field, the position, the message, the expected and actual values, the help, and the reaction
/// of the reference reader. The [word](super::finding::Remedy::word) of the remedy and the member are left out if there are none.
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

/// Writes the format, the verdict and the findings. The caller adds the name of a member.
impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_struct("Part", 3)?;
        object.serialize_field("format", &self.format)?;
        object.serialize_field("verdict", &self.verdict())?;
        object.serialize_field("findings", self.findings)?;
        object.end()
    }
}

/// Writes the format, the verdict and the findings; for an archive or a store, the findings about all members.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_struct("Report", 3)?;
        object.serialize_field("format", &self.format)?;
        object.serialize_field("verdict", &self.verdict())?;
        object.serialize_field("findings", self.findings())?;
        object.end()
    }
}

/// Writes everything about a rule. `severity` is `null` if the format allows a violation. For a rule about archives, the reactions
/// of their readers follow, by the content of the archive.
impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_struct("Rule", 8 + usize::from(self.reactions.is_some()))?;
        object.serialize_field("id", self.id)?;
        object.serialize_field("scope", &self.scope)?;
        object.serialize_field("severity", &self.severity)?;
        object.serialize_field("reference", &self.reference)?;
        match self.reactions {
            Some(reactions) => object.serialize_field("archives", &reactions)?,
            None => object.skip_field("archives")?,
        }
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

/// Writes the reactions by the content of the archive: `npy`, `b2nd` and `idv`.
impl Serialize for Reactions {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_struct("Reactions", 3)?;
        object.serialize_field("npy", &self.numpy)?;
        object.serialize_field("b2nd", &self.blosc2)?;
        object.serialize_field("idv", &self.dotnet)?;
        object.end()
    }
}

/// Writes `accepts`, `refuses` or `unforeseen`; `null` if no reader is affected.
impl Serialize for Reference {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.word().serialize(to)
    }
}

/// Writes the name that the identifiers of the rules begin with; `null` for general rules.
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
