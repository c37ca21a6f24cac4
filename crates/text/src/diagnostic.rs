//! Findings, printed like the errors of a compiler.

use crate::finding_text::{byte_range, help};
use crate::names::names_of;
use crate::printer::Printer;
use crate::style::{self, ERROR, FAINT, HEADING, OK, WARNING};
use crate::text::{self, LONGEST, cut, is_standard, readable};
use ndbytes::archive::{address, file_of};
use ndbytes::b2nd::is_sparse_frame;
use ndbytes::{ByteMap, Checker, Depth, Finding, Format, Input, Limits, Scope, Severity, Span};
use std::cell::OnceCell;
use std::collections::HashMap;
use std::io;
use std::path::Path;

/// The number of bytes on a line.
const ROW: u64 = 16;

/// The number of lines of bytes that are shown for one finding.
const ROWS: u64 = 3;

/// The maximum length of files that are decompressed a second time to show the bytes of a finding.
const SMALL: u64 = 1 << 20;

/// Prints the findings in one file: the message, the position, the bytes, and the help of each.
///
/// # Errors
/// Any error from the stream.
pub fn print_all(
    findings: &[Finding],
    path: &Path,
    format: Option<Format>,
    limits: Limits,
    out: &mut Printer<'_>,
) -> io::Result<()> {
    let source = Source::new(path, limits);
    // A finding about an archive is in its bytes, not in those of the entry.
    let archive = file_of(path).map(|file| Source::new(file, limits));
    print_of(findings, &source, archive.as_ref(), format, out)
}

/// Prints findings in a file whose map already exists.
///
/// # Errors
/// Any error from the stream.
pub fn print_mapped(
    findings: &[Finding],
    path: &Path,
    format: Option<Format>,
    limits: Limits,
    spans: &[Span<'_>],
    out: &mut Printer<'_>,
) -> io::Result<()> {
    let archive = file_of(path).map(|file| Source::new(file, limits));
    print_of(findings, &Source { spans: Some(spans), ..Source::new(path, limits) }, archive.as_ref(), format, out)
}

/// A file in memory, with a name.
#[derive(Debug, Clone, Copy)]
pub struct Held<'p> {
    /// The name.
    pub name: &'p str,
    /// The bytes.
    pub file: &'p [u8],
    /// The member of the archive that the findings are about: its name and its bytes.
    pub member: Option<(&'p str, &'p [u8])>,
}

/// Prints findings in a file in memory.
///
/// # Errors
/// Any error from the stream.
pub fn print_held(
    findings: &[Finding],
    held: Held<'_>,
    format: Option<Format>,
    limits: Limits,
    out: &mut Printer<'_>,
) -> io::Result<()> {
    let file = Source { bytes: Some(held.file), ..Source::new(Path::new(held.name), limits) };
    let Some((member, bytes)) = held.member else { return print_of(findings, &file, None, format, out) };
    let address = address(held.name, member);
    let source = Source { bytes: Some(bytes), ..Source::new(&address, limits) };
    print_of(findings, &source, Some(&file), format, out)
}

fn print_of<'p>(
    findings: &[Finding],
    source: &Source<'p>,
    archive: Option<&Source<'p>>,
    format: Option<Format>,
    out: &mut Printer<'_>,
) -> io::Result<()> {
    findings.iter().try_for_each(|finding| {
        let bytes = archive.filter(|_| is_of_archive(finding)).unwrap_or(source);
        print_one(finding, source, bytes, format, out)
    })
}

fn print_one(
    finding: &Finding,
    source: &Source<'_>,
    bytes: &Source<'_>,
    format: Option<Format>,
    out: &mut Printer<'_>,
) -> io::Result<()> {
    let weight = if finding.severity == Severity::Error { ERROR } else { WARNING };
    let message = readable(&finding.message);
    let (severity, rule) = (finding.severity, finding.rule.id);
    out.prose(4, &format!("{weight}{severity}[{rule}]{weight:#}{HEADING}: {message}{HEADING:#}"))?;

    let mut place = cut(&text::path(source.path), LONGEST);
    if !finding.field.is_empty() {
        place += &format!(", {}", source.named(finding));
    }
    if let Some(range) = byte_range(finding) {
        place += &format!(", {range}");
        if let Some(name) = finding.space_name() {
            place += &format!(" of {name}");
        }
        if bytes.path != source.path {
            place += " of the archive";
        }
    }
    writeln!(out, "  {FAINT}-->{FAINT:#} {place}")?;

    let rows = bytes.rows(finding);
    let wrong = [("expected", &finding.expected), ("found", &finding.found)];
    let words: Vec<String> =
        wrong.iter().filter_map(|(word, what)| what.as_ref().map(|what| format!("{word} {what}"))).collect();
    let words = readable(&words.join(", "));
    if rows.is_empty() {
        if !words.is_empty() {
            out.prose(5, &format!("   {FAINT}={FAINT:#} {words}"))?;
        }
    } else {
        writeln!(out, "          {FAINT}|{FAINT:#}")?;
        for (place, row) in rows.iter().enumerate() {
            writeln!(out, " {FAINT}{:#08x} |{FAINT:#} {}", row.offset, row.hex())?;
            let (indent, width) = marked(row, finding);
            let words = if place + 1 == rows.len() && !words.is_empty() { format!(" {words}") } else { String::new() };
            let marks = "^".repeat(width);
            out.prose(12, &format!("          {FAINT}|{FAINT:#} {:indent$}{weight}{marks}{weight:#}{words}", ""))?;
        }
        let shown = rows.last().map_or(0, |row| row.offset + row.bytes.len() as u64);
        let end = finding.offset.saturating_add(finding.length);
        if end > shown {
            writeln!(out, "          {FAINT}| … {} more{FAINT:#}", style::counted(end - shown, "byte"))?;
        }
    }
    if let Some(help) = help(finding) {
        out.prose(5, &format!("   {FAINT}={FAINT:#} {OK}help{OK:#}: {}", readable(&help)))?;
    }
    if let (Some(reader), Some(verb)) = (ndbytes::reference_reader(finding, format), finding.reference.verb()) {
        out.prose(5, &format!("   {FAINT}={FAINT:#} {reader} {verb} such a file"))?;
    }
    writeln!(out)
}

/// Some bytes of a space, from an offset that is a multiple of [`ROW`]; `None` for bytes that are not available.
struct Row {
    offset: u64,
    bytes: Vec<Option<u8>>,
}

impl Row {
    fn hex(&self) -> String {
        let hex = |byte: &Option<u8>| byte.map_or("··".into(), |byte| format!("{byte:02x}"));
        self.bytes.iter().map(hex).collect::<Vec<_>>().join(" ")
    }
}

/// The file that findings are about. Its bytes are read only once.
struct Source<'p> {
    path: &'p Path,
    limits: Limits,
    /// Its bytes, if they are available.
    bytes: Option<&'p [u8]>,
    /// The fields of its map, if they are available.
    spans: Option<&'p [Span<'p>]>,
    input: OnceCell<Option<Input<'p>>>,
    names: OnceCell<HashMap<String, String>>,
    map: OnceCell<Option<ByteMap>>,
}

impl<'p> Source<'p> {
    fn new(path: &'p Path, limits: Limits) -> Self {
        let (input, names, map) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Source { path, limits, bytes: None, spans: None, input, names, map }
    }

    /// Reopens the file, or the entry of an archive. A pipe cannot be read twice.
    fn open(&self) -> Option<Input<'p>> {
        if let Some(bytes) = self.bytes {
            return Some(Input::from_slice(bytes, self.limits));
        }
        let is_stored = self.path.is_file() || is_sparse_frame(self.path) || file_of(self.path).is_some();
        if is_stored && !is_standard(self.path) { Input::open(self.path, self.limits).ok() } else { None }
    }

    fn byte_map(&self, depth: Depth) -> Option<ByteMap> {
        Checker::new().depth(depth).limits(self.limits).byte_map(self.open()?).ok()
    }

    /// Returns the path of the field, in which columns have their names: `columns[2] "Label", block[0]`.
    fn named(&self, finding: &Finding) -> String {
        let field = &finding.field;
        let end = field.find(']').filter(|_| is_of_table(finding)).map_or(0, |end| end + 1);
        let names = || match self.spans {
            Some(spans) => names_of(spans),
            None => self.byte_map(Depth::Structure).map(|map| names_of(&map.spans())).unwrap_or_default(),
        };
        match (end > 0).then(|| self.names.get_or_init(names).get(&field[..end])) {
            Some(Some(name)) => match field[end..].strip_prefix('.') {
                Some(rest) => format!("{} \"{name}\", {rest}", &field[..end]),
                None => format!("{} \"{name}\"{}", &field[..end], &field[end..]),
            },
            _ => field.clone(),
        }
    }

    /// Returns the lines of bytes to show for a finding; empty if it is about the complete file, or if the file cannot be read
    /// again.
    fn rows(&self, finding: &Finding) -> Vec<Row> {
        if byte_range(finding).is_none() {
            return Vec::new();
        }
        let Some(input) = self.input.get_or_init(|| self.open()) else { return Vec::new() };
        if finding.space == 0 {
            let read = |bytes: &mut [u8], offset| input.read_at(bytes, offset).is_ok();
            return rows(finding, input.length(), |offset, count| {
                let mut bytes = vec![0; count];
                if read(&mut bytes, offset) { bytes.into_iter().map(Some).collect() } else { vec![None; count] }
            });
        }
        if !has_parts(finding) || input.length() > SMALL {
            return Vec::new();
        }
        match self.spans {
            Some(spans) => mapped_rows(finding, spans),
            None => {
                let map = self.map.get_or_init(|| self.byte_map(Depth::Payload)).as_ref();
                map.map_or_else(Vec::new, |map| mapped_rows(finding, &map.spans()))
            }
        }
    }
}

/// Returns the lines of bytes to show for a finding, from a map; empty if the map does not have the space.
fn mapped_rows(finding: &Finding, spans: &[Span<'_>]) -> Vec<Row> {
    let nodes = || spans.iter().filter(|span| span.space == finding.space).map(|span| span.node);
    let length = nodes().map(|node| node.end()).max().unwrap_or(0);
    rows(finding, length, |offset, count| {
        let mut bytes = vec![None; count];
        for node in nodes() {
            for (place, byte) in (node.start()..).zip(node.first_bytes()) {
                if let Some(slot) = place.checked_sub(offset).and_then(|place| bytes.get_mut(place as usize)) {
                    *slot = Some(*byte);
                }
            }
        }
        bytes
    })
}

/// Returns the lines to show for a finding in a space. `read` returns the bytes of the space.
fn rows(finding: &Finding, length: u64, read: impl Fn(u64, usize) -> Vec<Option<u8>>) -> Vec<Row> {
    let start = finding.offset.min(length.saturating_sub(1)) / ROW * ROW;
    let end = finding.offset.saturating_add(finding.length.max(1)).min(start + ROWS * ROW).min(length);
    let row = |offset| Row { offset, bytes: read(offset, (length - offset).min(ROW) as usize) };
    let rows: Vec<Row> = (start..end).step_by(ROW as usize).map(row).collect();
    let is_known = |row: &Row| {
        let (from, count) = marked_bytes(row, finding);
        row.bytes[from..].iter().take(count.max(1)).any(Option::is_some) || from == row.bytes.len()
    };
    if rows.iter().any(is_known) { rows } else { Vec::new() }
}

/// Returns whether a finding is about a table, whose columns have names and whose blocks are decompressed.
fn is_of_table(finding: &Finding) -> bool {
    finding.rule.scope == Scope::Format(Format::Idv)
}

/// Returns whether a finding is about a file whose byte map has several parts.
fn has_parts(finding: &Finding) -> bool {
    is_of_table(finding) || finding.rule.scope == Scope::Format(Format::B2nd)
}

/// Returns whether a finding is about the archive that contains an entry.
fn is_of_archive(finding: &Finding) -> bool {
    finding.rule.scope == Scope::Zip
}

/// Returns the marked bytes of a line: the position of the first one, and their number.
fn marked_bytes(row: &Row, finding: &Finding) -> (usize, usize) {
    let end = row.offset + row.bytes.len() as u64;
    let from = finding.offset.clamp(row.offset, end);
    let to = finding.offset.saturating_add(finding.length).clamp(from, end);
    ((from - row.offset) as usize, (to - from) as usize)
}

/// Returns the first column of the marks under a line, and their width.
fn marked(row: &Row, finding: &Finding) -> (usize, usize) {
    let (from, count) = marked_bytes(row, finding);
    (3 * from, (3 * count).saturating_sub(1).max(1))
}
