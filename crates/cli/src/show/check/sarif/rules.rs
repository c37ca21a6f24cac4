//! Rules in the form of SARIF.

use crate::show::rule_text::reactions;
use ndbytes::{Rule, Scope, Severity};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Rules that hostile files violate, and GitHub's security severity of a violation, from 0 to 10.
pub const HOSTILE: [(&str, &str); 4] =
    [("limit-exceeded", "5.0"), ("zip/overlap", "5.0"), ("zip/too-many-entries", "5.0"), ("zip/unsafe-name", "7.0")];

/// The rules that results refer to, in the order of their first results.
#[derive(Default)]
pub struct Rules {
    pub list: Vec<Value>,
    places: HashMap<&'static str, usize>,
}

impl Rules {
    /// Returns the index of a rule in the list.
    pub fn index(&mut self, rule: &'static Rule) -> usize {
        let list = &mut self.list;
        *self.places.entry(rule.id).or_insert_with(|| {
            list.push(describe(rule));
            list.len() - 1
        })
    }
}

/// Returns a severity as a SARIF level. A finding without a verdict is a note.
pub fn level(severity: Option<Severity>) -> &'static str {
    match severity {
        Some(Severity::Error) => "error",
        Some(Severity::Warning) => "warning",
        Some(Severity::Unforeseen) | None => "note",
    }
}

/// Returns a rule with its help text.
fn describe(rule: &Rule) -> Value {
    let reader = match rule.reference.verb() {
        Some(verb) => format!("The reference reader {verb} such a file."),
        None if rule.reactions.is_some() => format!("{}.", reactions(rule)),
        None => "Reference readers do not check this.".to_owned(),
    };
    let source = rule.source;
    let group = match rule.scope {
        Scope::Format(format) => format.to_string(),
        Scope::Gzip => "gzip".to_owned(),
        Scope::Zip => "zip".to_owned(),
        Scope::Contract => "contract".to_owned(),
        _ => "general".to_owned(),
    };
    let mut properties = json!({ "precision": "very-high", "tags": ["binary", group] });
    if let Some((_, severity)) = HOSTILE.iter().find(|(id, _)| *id == rule.id) {
        properties["security-severity"] = (*severity).into();
        properties["tags"] = json!(["binary", group, "security"]);
    }
    json!({
        "id": rule.id,
        "name": name_of(rule.id),
        "shortDescription": { "text": first_sentence(rule.doc) },
        "fullDescription": { "text": rule.doc },
        "help": {
            "text": format!("{} Source: {source}. {reader}", rule.doc),
            "markdown": format!("{}\n\n**Source:** {source}. {reader}", rule.doc),
        },
        "defaultConfiguration": { "level": level(rule.severity) },
        "properties": properties,
    })
}

/// Converts `idx/trailing-bytes` to `IdxTrailingBytes`.
fn name_of(id: &str) -> String {
    let words = id.split(['/', '-']);
    words
        .flat_map(|word| word.chars().enumerate().map(|(at, it)| if at == 0 { it.to_ascii_uppercase() } else { it }))
        .collect()
}

/// Returns the first sentence, as the short description.
fn first_sentence(doc: &str) -> &str {
    doc.find(". ").map_or(doc, |end| &doc[..=end])
}
