//! `ndbytes rules`

use super::style::{self, ERROR, FAINT, HEADING, WARNING};
use super::{Context, Outcome};
use ndbytes::{Reference, Severity};
use std::io;

/// List every rule: its severity, what it asks, where it comes from, what the format's reference reader does.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

pub fn run(_: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let out = &mut *context.out;
    let width = style::terminal_width().unwrap_or(100).clamp(40, 100) - 4;
    for rule in ndbytes::rules() {
        let (colour, severity) = match rule.severity {
            Some(Severity::Error) => (ERROR, "error"),
            Some(Severity::Warning) => (WARNING, "warning"),
            None => (FAINT, "allowed"),
        };
        let reference = match rule.reference {
            Reference::Accepts => "accepts",
            Reference::Refuses => "refuses",
        };
        writeln!(out, "{HEADING}{}{HEADING:#}  {colour}{severity}{colour:#}", rule.id)?;
        for line in style::wrapped(rule.doc, width) {
            writeln!(out, "    {line}")?;
        }
        writeln!(out, "    {FAINT}source: {}; the reference reader {reference} it{FAINT:#}\n", rule.source)?;
    }
    let readers = ndbytes::Format::ALL.map(|format| format!("{}: {}", format.title(), format.reference_reader()));
    writeln!(out, "Reference readers: {}.", readers.join("; "))?;
    Ok(Outcome::Clean)
}
