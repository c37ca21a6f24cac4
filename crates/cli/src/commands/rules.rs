//! `ndbytes rules`

use crate::context::{Context, Outcome};
use crate::show::style::{ERROR, FAINT, HEADING, WARNING};
use crate::show::text;
use ndbytes::Severity;
use ndbytes::archive::REFERENCE_READER;
use std::io;

/// List every rule: its severity, what it asks, where it comes from, what the format's reference reader does.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

pub fn run(_: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let (width, out) = (context.width.unwrap_or(100).clamp(40, 100) - 4, &mut context.out);
    for rule in ndbytes::rules() {
        let (colour, severity) = match rule.severity {
            Some(Severity::Error) => (ERROR, "error"),
            Some(Severity::Warning) => (WARNING, "warning"),
            None => (FAINT, "allowed"),
        };
        let reference = rule.reference.verb().map_or_else(
            || "no reference reader is concerned".to_owned(),
            |verb| format!("the reference reader {verb} it"),
        );
        writeln!(out, "{HEADING}{}{HEADING:#}  {colour}{severity}{colour:#}", rule.id)?;
        for line in text::wrapped(rule.doc, width) {
            writeln!(out, "    {line}")?;
        }
        writeln!(out, "    {FAINT}source: {}; {reference}{FAINT:#}\n", rule.source)?;
    }
    let readers = ndbytes::Format::ALL.map(|format| format!("{}: {}", format.title(), format.reference_reader()));
    writeln!(out, "Reference readers: {}; zip archives: {REFERENCE_READER}.", readers.join("; "))?;
    Ok(Outcome::Clean)
}
