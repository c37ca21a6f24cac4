//! The output of `check` as SARIF 2.1.0. Results are written one by one. The files and rules that they refer to are
//! written after them.

mod artifacts;
mod location;
mod rules;

use crate::show::check::from_here::from_here;
use crate::show::check::totals::{Fixed, Totals};
use crate::show::check::{Checked, Output, Seen};
use crate::show::finding_text::{help, help_after};
use crate::show::json;
use crate::show::printer::Printer;
use crate::show::text::{LONGEST, cut, readable};
use artifacts::Artifacts;
use location::{ROOT, location};
use ndbytes::Limits;
use rules::Rules;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The schema of the output.
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The maximum number of unreadable paths to list.
const MOST_UNREADABLE: usize = 1000;

/// One log with one run.
pub struct Sarif {
    has_baseline: bool,
    is_begun: bool,
    rules: Rules,
    artifacts: Artifacts,
    unreadable: Vec<Value>,
}

impl Sarif {
    /// Creates the output. With a baseline, results state whether they are new.
    pub fn new(has_baseline: bool) -> Self {
        let (rules, artifacts) = (Rules::default(), Artifacts::default());
        Sarif { has_baseline, is_begun: false, rules, artifacts, unreadable: Vec::new() }
    }

    /// Writes the next result, and the head of the log before the first one.
    fn write(&mut self, result: Option<&Value>, to: &mut dyn Write) -> io::Result<()> {
        match (std::mem::replace(&mut self.is_begun, true), result) {
            (true, Some(_)) => to.write_all(b",")?,
            (true, None) => {}
            (false, _) => write!(to, "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"results\":[")?,
        }
        result.map_or(Ok(()), |result| {
            to.write_all(b"\n")?;
            json::value(to, result)
        })
    }

    /// Returns the result for a finding. `number` counts the findings with the same rule and field.
    fn result(&mut self, checked: &Checked<'_>, seen: &Seen<'_>, number: u32, limits: Limits) -> Value {
        let finding = seen.finding;
        let key = checked.places.key(finding);
        let index = self.artifacts.index(checked.file, limits);
        // Readers of SARIF require a line, although a binary file has none.
        let mut region = json!({ "startLine": 1 });
        if let Some(bytes) = checked.places.bytes(finding) {
            region["byteOffset"] = bytes.start.into();
            region["byteLength"] = (bytes.end - bytes.start).into();
        }
        let mut place = json!({
            "physicalLocation": { "artifactLocation": location(checked.file, Some(index)), "region": region },
        });
        let name = match (checked.part.member, &*key) {
            (None, key) => plain(key),
            (Some(member), "") => plain(member),
            (Some(member), key) => plain(&format!("{member}!{key}")),
        };
        if !name.is_empty() {
            place["logicalLocations"] = json!([{ "fullyQualifiedName": name, "kind": "member" }]);
        }
        let mut result = json!({
            "ruleId": finding.rule.id,
            "ruleIndex": self.rules.index(finding.rule),
            "level": rules::level(Some(finding.severity)),
            "message": { "text": plain(&readable(&finding.message)) + &plain(&help_after(finding)) },
            "locations": [place],
            "partialFingerprints": { "ndbytes/v1": fingerprint(finding.rule.id, &key, checked.address, number) },
            "properties": properties(checked, seen),
        });
        if self.has_baseline {
            result["baselineState"] = if seen.is_known { "unchanged" } else { "new" }.into();
        }
        if seen.is_known {
            result["suppressions"] = json!([{ "kind": "external", "justification": "Known: it is in the baseline." }]);
        }
        result
    }

    /// Returns the result for a finding that is gone.
    fn absent(&mut self, fixed: &Fixed) -> Value {
        let path = PathBuf::from(&fixed.path);
        let mut place = json!({
            "physicalLocation": { "artifactLocation": location(&path, None), "region": { "startLine": 1 } },
        });
        if !fixed.field.is_empty() {
            place["logicalLocations"] = json!([{ "fullyQualifiedName": plain(&fixed.field), "kind": "member" }]);
        }
        json!({
            "ruleId": fixed.rule,
            "level": "none",
            "kind": "pass",
            "message": { "text": "The finding in the baseline is fixed." },
            "locations": [place],
            "baselineState": "absent",
        })
    }
}

impl Output for Sarif {
    fn shows_known(&self) -> bool {
        true
    }

    fn part(&mut self, checked: &Checked<'_>, limits: Limits, out: &mut Printer<'_>) -> io::Result<()> {
        let mut numbers: HashMap<(&str, String), u32> = HashMap::new();
        for seen in checked.findings {
            let number = numbers.entry((seen.finding.rule.id, checked.places.key(seen.finding))).or_default();
            let result = self.result(checked, seen, *number, limits);
            *number += 1;
            self.write(Some(&result), out.machine())?;
        }
        Ok(())
    }

    fn unreadable(&mut self, path: Option<&Path>, reason: &str, _: &mut Printer<'_>) -> io::Result<()> {
        if self.unreadable.len() < MOST_UNREADABLE {
            let places = path.map(|path| json!({ "physicalLocation": { "artifactLocation": location(path, None) } }));
            let places: Vec<Value> = places.into_iter().collect();
            self.unreadable
                .push(json!({ "level": "error", "message": { "text": plain(reason) }, "locations": places }));
        }
        Ok(())
    }

    fn end(&mut self, totals: &Totals, out: &mut Printer<'_>) -> io::Result<()> {
        let to = out.machine();
        for fixed in &totals.fixed {
            let result = self.absent(fixed);
            self.write(Some(&result), to)?;
        }
        self.write(None, to)?;
        write!(to, "\n],\"artifacts\":[")?;
        for (place, artifact) in self.artifacts.list.iter().enumerate() {
            to.write_all(if place == 0 { b"\n" } else { b",\n" })?;
            json::value(to, artifact)?;
        }
        let run = [
            (
                "invocations",
                json!([{
                    "executionSuccessful": self.unreadable.is_empty(),
                    "toolExecutionNotifications": std::mem::take(&mut self.unreadable),
                }]),
            ),
            ("originalUriBaseIds", json!({ ROOT: { "description": { "text": "The working directory." } } })),
            ("properties", json!({ "files": totals.files, "other": totals.other, "leftOut": totals.left_out })),
            (
                "tool",
                json!({ "driver": {
                "name": "ndbytes",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": self.rules.list,
            } }),
            ),
        ];
        write!(to, "\n]")?;
        for (name, value) in run {
            write!(to, ",\n\"{name}\":")?;
            json::value(to, &value)?;
        }
        to.write_all(b"\n}]}\n")
    }
}

/// Returns text from a file for a viewer. Nothing in it is invisible or a link.
fn plain(text: &str) -> String {
    let shown = cut(text, LONGEST);
    if shown.contains("](") { shown.replace('[', "\\[") } else { shown }
}

/// Returns the identity of a finding, which survives other changes of the file because it contains no offset.
fn fingerprint(rule: &str, key: &str, address: &Path, number: u32) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [rule, key, &from_here(address)] {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    if number > 0 {
        hasher.update(&number.to_le_bytes());
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

/// Returns properties of a finding that SARIF does not define.
fn properties(checked: &Checked<'_>, seen: &Seen<'_>) -> Value {
    let finding = seen.finding;
    let mut properties = json!({ "space": finding.space });
    let texts = [
        ("expected", finding.expected.clone()),
        ("found", finding.found.clone()),
        ("help", help(finding)),
        ("reference", finding.reference.word().map(str::to_owned)),
        ("member", checked.part.member.map(str::to_owned)),
    ];
    for (name, text) in texts {
        if let Some(text) = text {
            properties[name] = plain(&text).into();
        }
    }
    properties
}
