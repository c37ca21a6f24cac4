//! Findings, printed as a compiler would.

use super::style::{self, ERROR, FAINT, HEADING, OK, WARNING};
use super::{Context, open, shown};
use ndbytes::{Finding, Format, Limits, Reference, Severity};
use std::io;
use std::path::Path;

/// Bytes a line.
const ROW: u64 = 16;

/// Lines of bytes that are shown of one finding.
const ROWS: u64 = 3;

/// Prints one finding: the message, the place, the bytes, and what to do.
pub fn print(finding: &Finding, path: &Path, format: Option<Format>, context: &mut Context<'_>) -> io::Result<()> {
    let weight = if finding.severity == Severity::Error { ERROR } else { WARNING };
    let Context { out, limits } = context;
    let message = style::readable(&finding.message);
    writeln!(out, "{weight}{}[{}]{weight:#}{HEADING}: {message}{HEADING:#}", finding.severity, finding.rule.id)?;

    let mut place = style::harmless(&shown(path));
    if !finding.field.is_empty() {
        place += &format!(", {}", finding.field);
    }
    let end = finding.offset.saturating_add(finding.length);
    match (finding.length, finding.offset) {
        (0, 0) => {}
        (0, offset) => place += &format!(", at byte {offset:#x}"),
        (_, offset) => place += &format!(", bytes {offset:#x}..{end:#x}"),
    }
    if finding.space > 0 && (finding.length, finding.offset) != (0, 0) {
        place += " of what it inflates to";
    }
    writeln!(out, "  {FAINT}-->{FAINT:#} {place}")?;

    // A pipe cannot be read twice.
    let rows = if finding.space == 0 && path.is_file() { rows(finding, path, *limits) } else { Vec::new() };
    let wrong = [("expected", &finding.expected), ("found", &finding.found)];
    let words: Vec<String> =
        wrong.iter().filter_map(|(word, what)| what.as_ref().map(|what| format!("{word} {what}"))).collect();
    let words = style::readable(&words.join(", "));
    if rows.is_empty() {
        if !words.is_empty() {
            writeln!(out, "   {FAINT}={FAINT:#} {words}")?;
        }
    } else {
        writeln!(out, "          {FAINT}|{FAINT:#}")?;
        for (place, row) in rows.iter().enumerate() {
            writeln!(out, " {FAINT}{:#08x} |{FAINT:#} {}", row.offset, style::hex(&row.bytes))?;
            let (indent, width) = marked(row, finding);
            let words = if place + 1 == rows.len() && !words.is_empty() { format!(" {words}") } else { String::new() };
            writeln!(out, "          {FAINT}|{FAINT:#} {:indent$}{weight}{}{weight:#}{words}", "", "^".repeat(width))?;
        }
        let shown = rows.last().map_or(0, |row| row.offset + row.bytes.len() as u64);
        if end > shown {
            writeln!(out, "          {FAINT}| … {} more{FAINT:#}", style::counted(end - shown, "byte"))?;
        }
    }
    if let Some(help) = &finding.help {
        writeln!(out, "   {FAINT}={FAINT:#} {OK}help{OK:#}: {}", style::readable(help))?;
    }
    if let Some(reader) = format.map(Format::reference_reader) {
        let does = match finding.rule.reference {
            Reference::Accepts => "accepts",
            Reference::Refuses => "refuses",
        };
        writeln!(out, "   {FAINT}={FAINT:#} {reader} {does} such a file")?;
    }
    writeln!(out)
}

/// Some bytes of the file, from an offset that is a multiple of [`ROW`].
struct Row {
    offset: u64,
    bytes: Vec<u8>,
}

/// The lines of bytes that a finding is about, as far as they are shown; none if the file cannot be read again.
fn rows(finding: &Finding, path: &Path, limits: Limits) -> Vec<Row> {
    let Ok(input) = open(path, limits) else { return Vec::new() };
    let start = finding.offset.min(input.length().saturating_sub(1)) / ROW * ROW;
    let end = finding.offset.saturating_add(finding.length.max(1)).min(start + ROWS * ROW).min(input.length());
    let mut rows = Vec::new();
    for offset in (start..end).step_by(ROW as usize) {
        let mut bytes = vec![0; (input.length() - offset).min(ROW) as usize];
        if input.read_at(&mut bytes, offset).is_err() {
            return Vec::new();
        }
        rows.push(Row { offset, bytes });
    }
    rows
}

/// Where the marks begin under a line, and how wide they are.
fn marked(row: &Row, finding: &Finding) -> (usize, usize) {
    let end = row.offset + row.bytes.len() as u64;
    let from = finding.offset.clamp(row.offset, end);
    let to = finding.offset.saturating_add(finding.length).clamp(from, end);
    let (from, count) = ((from - row.offset) as usize, (to - from) as usize);
    (3 * from, (3 * count).saturating_sub(1).max(1))
}
