//! The machine-readable output that several subcommands share. `docs/json.md` describes it.

use ndbytes::Finding;
use serde::Serialize;
use std::io::{self, Write};

/// One finding.
#[derive(Debug, Serialize)]
pub struct FindingObject<'a> {
    rule: &'static str,
    severity: String,
    field: &'a str,
    space: u32,
    offset: u64,
    length: u64,
    message: &'a str,
    expected: Option<&'a str>,
    found: Option<&'a str>,
    help: Option<&'a str>,
}

impl<'a> From<&'a Finding> for FindingObject<'a> {
    fn from(finding: &'a Finding) -> Self {
        FindingObject {
            rule: finding.rule.id,
            severity: finding.severity.to_string(),
            field: &finding.field,
            space: finding.space,
            offset: finding.offset,
            length: finding.length,
            message: &finding.message,
            expected: finding.expected.as_deref(),
            found: finding.found.as_deref(),
            help: finding.help.as_deref(),
        }
    }
}

/// Writes one object on a line of its own.
pub fn line(out: &mut dyn Write, object: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, object)?;
    out.write_all(b"\n")
}
