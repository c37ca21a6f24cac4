//! Rules as text: lines of a list, and the explanation of a single rule.

use crate::show::diagnostic::{self, Held};
use crate::show::printer::Printer;
use crate::show::rule_example::Example;
use crate::show::style::{ERROR, FAINT, HEADING, WARNING, counted, hex};
use crate::show::text;
use anstyle::Style;
use ndbytes::repair::mended_by;
use ndbytes::{Limits, Profile, Reference, Rule, Severity};
use std::io;

/// The number of bytes on a line of an example.
const ROW: usize = 16;

/// The maximum number of bytes of an example to show.
const SHOWN: usize = 320;

/// Returns the colour and the word for a rule's severity.
pub fn weight(severity: Option<Severity>) -> (Style, &'static str) {
    match severity {
        Some(Severity::Error) => (ERROR, "error"),
        Some(Severity::Warning) => (WARNING, "warning"),
        Some(Severity::Unforeseen) => (WARNING, "no verdict"),
        None => (FAINT, "allowed"),
    }
}

/// Returns the reference reader's reaction to such a file, as text: `idx2numpy 1.2.3 refuses such a file`.
pub fn reaction(rule: &Rule) -> String {
    if rule.reactions.is_some() {
        return reactions(rule);
    }
    match (ndbytes::reference_reader_of(rule), rule.reference.verb()) {
        (_, None) => "not checked by reference readers".to_owned(),
        (Some(reader), Some(verb)) => format!("{reader} {verb} such a file"),
        (None, Some(verb)) => format!("each format's reference reader {verb} such a file"),
    }
}

/// Describes the reactions of archive readers; empty for a rule that is not about archives.
pub fn reactions(rule: &Rule) -> String {
    let reaction = |(reader, reference): (&str, Reference)| Some(format!("{reader} {} it", reference.verb()?));
    ndbytes::readers_of_archives(rule).filter_map(reaction).collect::<Vec<_>>().join(", ")
}

/// Describes the severities of a violation in both profiles: `error in profile strict, allowed in profile reference`.
pub fn weights(rule: &Rule) -> String {
    if rule.reactions.is_some() {
        let (_, word) = weight(rule.severity);
        return format!("{word} in profile strict; in profile reference, as the reader of the archive reacts");
    }
    let in_profile = |profile, name| {
        let (_, word) = weight(rule.severity_in(profile, rule.reference));
        format!("{word} in profile {name}")
    };
    format!("{}, {}", in_profile(Profile::Strict, "strict"), in_profile(Profile::Reference, "reference"))
}

/// Prints everything about a rule, and a file that breaks it.
pub fn print(rule: &Rule, width: usize, out: &mut Printer<'_>) -> io::Result<()> {
    let (colour, word) = weight(rule.severity);
    writeln!(out, "{HEADING}{}{HEADING:#}  {colour}{word}{colour:#}\n", rule.id)?;
    for line in text::wrapped(rule.doc, width) {
        writeln!(out, "    {line}")?;
    }
    writeln!(out)?;
    let mut facts = vec![("severity", weights(rule))];
    if rule.is_tolerable() {
        facts.push(("tolerable", "a caller may ignore a violation: the data can be read".to_owned()));
    }
    facts.push(("reader", reaction(rule)));
    if let Some(mended) = mended_by(rule) {
        facts.push(("fix", mended.to_owned()));
    }
    facts.push(("source", rule.source.to_owned()));
    facts.push(("since", format!("version {}", rule.since)));
    let example = Example::of(rule);
    if let Some(example) = &example {
        facts.push(("example", format!("corpus/{}: {}", example.path, example.title)));
    }
    for (name, fact) in facts {
        let mut lines = text::wrapped(&fact, width - 11).into_iter();
        writeln!(out, "    {FAINT}{name:<9}{FAINT:#}  {}", lines.next().unwrap_or_default())?;
        lines.try_for_each(|line| writeln!(out, "    {:<9}  {line}", ""))?;
    }
    writeln!(out)?;
    example.map_or(Ok(()), |example| print_example(rule, &example, out))
}

/// Prints the bytes of an example, and its findings.
pub fn print_example(rule: &Rule, example: &Example, out: &mut Printer<'_>) -> io::Result<()> {
    let mut last: Option<&[u8]> = None;
    let rows = example.bytes[..example.bytes.len().min(SHOWN)].chunks(ROW).enumerate();
    for (place, row) in rows {
        // Repeated rows are replaced with one marker, as in other hex dumps.
        let is_repeated = last == Some(row) && (place + 1) * ROW < example.bytes.len();
        match (is_repeated, place >= 2 && example.bytes[(place - 2) * ROW..].starts_with(row)) {
            (true, true) => {}
            (true, false) => writeln!(out, "{FAINT}*{FAINT:#}")?,
            (false, _) => writeln!(out, "{FAINT}{:08x}{FAINT:#}  {}", place * ROW, hex(row))?,
        }
        last = Some(row);
    }
    if example.bytes.len() > SHOWN {
        let more = counted((example.bytes.len() - SHOWN) as u64, "more byte");
        writeln!(out, "{FAINT}… {more}{FAINT:#}")?;
    }
    writeln!(out)?;
    let (findings, format) = example.findings(rule).map_err(io::Error::other)?;
    let held = Held { name: example.path, file: &example.bytes, member: None };
    diagnostic::print_held(&findings, held, format, Limits::default(), out)
}
