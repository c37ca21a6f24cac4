//! The fields of a file as rows of text.

use crate::error::amount;
use crate::escape::push_letter;
use crate::format::Explained;
use crate::map::{GAP, Space, Span, spans};
use crate::nodes::Node;
use crate::value::{Shown, Value};
use std::fmt::{self, Display, Formatter};

/// The number of bytes that are shown of each field.
const SHOWN_BYTES: usize = 8;

/// The maximum number of fields that a table lists.
const MOST_ROWS: usize = 10_000;

/// The maximum number of findings that are listed below a table.
const MOST_FINDINGS: usize = 100;

/// The maximum width of path, value and meaning.
const WIDEST: [usize; 3] = [48, 32, 96];

impl Display for Explained {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let spans = spans(&self.spaces);
        let (mut rest, mut room) = (&spans[..], MOST_ROWS);
        for space in &self.spaces {
            let (own, others) = rest.split_at(rest.iter().take_while(|span| span.space == space.id).count());
            let shown = &own[..own.len().min(room)];
            table(space, shown, f)?;
            if shown.len() < own.len() {
                let left = own.len() + others.len() - shown.len();
                writeln!(f, "… and {left} more fields\n")?;
                break;
            }
            (rest, room) = (others, room - shown.len());
        }
        findings(self, f)?;
        let gaps = spans.iter().filter(|span| span.node.name() == GAP).map(|span| span.node.end() - span.node.start());
        match (gaps.sum::<u64>(), self.findings.len()) {
            (0, 0) => writeln!(f, "every byte accounted for"),
            (0, 1) => writeln!(f, "every byte has a field; 1 finding"),
            (0, findings) => writeln!(f, "every byte has a field; {findings} findings"),
            (gaps, _) => writeln!(f, "{} not accounted for", amount(gaps)),
        }
    }
}

fn table(space: &Space, spans: &[Span<'_>], f: &mut Formatter<'_>) -> fmt::Result {
    if space.id > 0 {
        writeln!(f, "{}  {}\n", cut(&space.title, WIDEST[2]), amount(space.length))?;
    }
    // A field without bytes has nothing to show, unless it is broken or has a value.
    let has_row = |node: Node<'_>| node.start() < node.end() || !node.is_complete() || node.is_computed();
    let shown = spans.iter().filter(|span| has_row(span.node));
    let rows: Vec<[String; 4]> = shown.flat_map(rows_of).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0).max(5);
    let (bytes, field) = (width(1), width(2));
    writeln!(f, "{:<8}  {:<bytes$}  {:<field$}  value", "offset", "bytes", "field")?;
    for [offset, hex, path, value] in rows {
        writeln!(f, "{}", format!("{offset:<8}  {hex:<bytes$}  {path:<field$}  {value}").trim_end())?;
    }
    writeln!(f)
}

/// Returns one row for a field and one for each of its bit fields: offset, bytes, path, and value with meaning.
fn rows_of(span: &Span<'_>) -> Vec<[String; 4]> {
    let node = span.node;
    let hex: Vec<String> = node.first_bytes().iter().take(SHOWN_BYTES).map(|byte| format!("{byte:02x}")).collect();
    let more = if node.length() > SHOWN_BYTES as u64 { " …" } else { "" };
    let mark = if node.is_complete() { "" } else { " ✗" };
    let meaning = if node.meaning().is_empty() { node.doc() } else { &node.meaning() };
    let field = [
        format!("{:08x}", node.start()),
        hex.join(" ") + more,
        cut_path(&span.path) + mark,
        line(&value(node), meaning),
    ];
    let bits = node.bits().into_iter().map(|bits| {
        let last = bits.first + bits.width - 1;
        let place = if bits.width == 1 { format!("bit {last}") } else { format!("bits {}..={last}", bits.first) };
        [String::new(), place, format!("  .{}", bits.name), line(&bits.value.to_string(), &bits.doc)]
    });
    std::iter::once(field).chain(bits).collect()
}

fn line(value: &str, meaning: &str) -> String {
    let (value, meaning) = (cut(value, WIDEST[1]), cut(meaning, WIDEST[2]));
    match (value.is_empty(), meaning.is_empty()) {
        (true, _) => meaning,
        (false, true) => value,
        (false, false) => format!("{value:<12}  {meaning}"),
    }
}

fn value(node: Node<'_>) -> String {
    match &node.value() {
        Value::None => node.type_name().to_owned(),
        value => Shown { value, is_hex: node.is_hex() }.to_string(),
    }
}

fn findings(explained: &Explained, f: &mut Formatter<'_>) -> fmt::Result {
    for finding in explained.findings.iter().take(MOST_FINDINGS) {
        writeln!(f, "{finding}")?;
    }
    let left = explained.findings.len().saturating_sub(MOST_FINDINGS);
    if left > 0 {
        writeln!(f, "… and {left} more findings")?;
    }
    if explained.findings.is_empty() { Ok(()) } else { writeln!(f) }
}

impl Display for crate::finding::Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "the file" } else { &self.path };
        write!(f, "{}: {}, at byte {}", self.rule, cut_path(path), self.bytes.start)?;
        if self.space > 0 {
            write!(f, " of space {}", self.space)?;
        }
        write!(f, ": {}", cut(&self.message, 4 * WIDEST[2]))
    }
}

/// The number of characters shown at the beginning of a long path.
const HEAD: usize = 12;

/// Returns an escaped path. If it is long, its middle is left out, because its end identifies the field.
fn cut_path(path: &str) -> String {
    if path.chars().nth(WIDEST[0]).is_none() {
        return cut(path, WIDEST[0]);
    }
    let end = path.char_indices().rev().nth(WIDEST[0] - HEAD - 2).map_or(0, |(place, _)| place);
    cut(path, HEAD) + &cut(&path[end..], WIDEST[0])
}

/// Returns escaped text, cut to at most `most` characters. The time depends on `most`, not on the length of the text.
fn cut(text: &str, most: usize) -> String {
    let mut shown = String::new();
    for (place, letter) in text.chars().enumerate() {
        if place == most {
            shown.push('…');
            break;
        }
        push_letter(&mut shown, letter);
    }
    shown
}
