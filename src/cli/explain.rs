//! `ndbytes explain`

use super::style::{self, ERROR, FAINT, FieldColours, HEADING, OK};
use super::{Context, DepthArgument, Outcome, diagnostic, html, json, open, shown};
use anstyle::Style;
use ndbytes::schemas::{Node, Value};
use ndbytes::{ByteMap, Checker, GAP, Input, Report, Space, Span, Verdict};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Bytes that are shown of each field.
const SHOWN_BYTES: usize = 8;

/// Explain every byte of a file: its field, its value, what that means. Of a broken file, everything up to the break.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Write a page for the browser instead, with the bytes in colour; `-` is standard output.
    #[arg(long, value_name = "OUT", conflicts_with = "json")]
    html: Option<PathBuf>,
    /// How much of the file is looked at.
    #[arg(long, value_enum, default_value_t)]
    depth: DepthArgument,
    /// The file; `-` is standard input.
    path: PathBuf,
}

#[derive(Serialize)]
struct MapObject<'a> {
    path: String,
    format: Option<ndbytes::Format>,
    size: u64,
    spans: Vec<SpanObject<'a>>,
}

#[derive(Serialize)]
struct SpanObject<'a> {
    path: &'a str,
    space: u32,
    offset: u64,
    length: u64,
    r#type: &'a str,
    value: serde_json::Value,
    meaning: &'a str,
    doc: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bits: Vec<BitsObject<'a>>,
}

#[derive(Serialize)]
struct BitsObject<'a> {
    name: &'a str,
    first: u32,
    width: u32,
    value: u64,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let path = &arguments.path;
    let checker = Checker::new().depth(arguments.depth.into()).limits(context.limits);
    let explained = open(path, context.limits).and_then(|input| {
        let (map, report) = match input.path() {
            Some(path) => (checker.byte_map(Input::open(path, context.limits)?)?, checker.check(path)?),
            // A stream can be read only once.
            None => {
                let bytes = input.bytes()?;
                let map = checker.byte_map(Input::from_slice(bytes, context.limits))?;
                (map, checker.check_slice(bytes)?)
            }
        };
        Ok((map, report, input))
    });
    let (map, report, input) = match explained {
        Ok(explained) => explained,
        Err(error) => return super::report(&error, path, context),
    };
    if let Some(out) = &arguments.html {
        let page = html::page(&map, &report, &shown(path), &input);
        let outcome = super::written(html::save(&page, out), out, context)?;
        if outcome != Outcome::Clean {
            return Ok(outcome);
        }
    } else if arguments.json {
        print_json(&map, &report, path, context)?;
    } else {
        print(&map, &report, path, context)?;
    }
    Ok(if report.verdict() == Verdict::Error { Outcome::Findings } else { Outcome::Clean })
}

fn print(map: &ByteMap, report: &Report, path: &Path, context: &mut Context<'_>) -> io::Result<()> {
    let format = map.format.map_or("unknown format", ndbytes::Format::title);
    let name = style::harmless(&shown(path));
    writeln!(context.out, "{HEADING}{name}{HEADING:#}  {format}  {}\n", style::counted(report.size, "byte"))?;
    let spans = map.spans();
    let mut colours = FieldColours::default();
    let rows: Vec<Vec<Row>> = map
        .spaces
        .iter()
        .map(|space| {
            spans.iter().filter(|span| span.space == space.id).flat_map(|span| rows_of(span, &mut colours)).collect()
        })
        .collect();
    let widths = Widths::of(rows.iter().flatten());
    for (space, rows) in map.spaces.iter().zip(&rows) {
        print_space(space, rows, &widths, context.out)?;
    }
    for finding in report.findings() {
        diagnostic::print(finding, path, report.format, context)?;
    }
    let gaps = spans.iter().filter(|span| span.node.name == GAP).map(|span| span.node.end - span.node.start);
    match gaps.sum::<u64>() {
        0 => writeln!(context.out, "{OK}every byte accounted for{OK:#}"),
        gaps => writeln!(context.out, "{ERROR}{} not accounted for{ERROR:#}", style::counted(gaps, "byte")),
    }
}

fn print_space(space: &Space, rows: &[Row], widths: &Widths, out: &mut dyn Write) -> io::Result<()> {
    if space.id > 0 {
        writeln!(out, "{HEADING}{}{HEADING:#}  {}\n", space.title, style::counted(space.length, "byte"))?;
    }
    let Widths { bytes, field, value } = *widths;
    writeln!(
        out,
        "{FAINT}{:<8}  {:<bytes$}  {:<field$}  {:<value$}  meaning{FAINT:#}",
        "offset", "bytes", "field", "value"
    )?;
    let room = style::terminal_width().map_or(usize::MAX, |width| width.saturating_sub(8 + bytes + field + value + 8));
    for row in rows {
        let Row { style, offset, .. } = row;
        write!(out, "{FAINT}{offset:<8}{FAINT:#}  {style}{:<bytes$}{style:#}  ", row.bytes)?;
        let value = if row.meaning.is_empty() { 0 } else { value };
        write!(out, "{style}{:<field$}{style:#}  {HEADING}{:<value$}{HEADING:#}", row.field, row.value)?;
        let meaning = style::cut(&row.meaning, room);
        match (row.is_doc, meaning.is_empty()) {
            (_, true) => writeln!(out)?,
            (true, _) => writeln!(out, "  {FAINT}{meaning}{FAINT:#}")?,
            (false, _) => writeln!(out, "  {meaning}")?,
        }
    }
    writeln!(out)
}

/// One line of the table.
struct Row {
    style: Style,
    offset: String,
    bytes: String,
    field: String,
    value: String,
    meaning: String,
    /// Whether the meaning is the field's documentation, for want of anything about this value.
    is_doc: bool,
}

/// The widths of the columns that are followed by another.
struct Widths {
    bytes: usize,
    field: usize,
    value: usize,
}

impl Widths {
    fn of<'a>(rows: impl Iterator<Item = &'a Row>) -> Self {
        let mut widths = Widths { bytes: 5, field: 5, value: 5 };
        for row in rows {
            widths.bytes = widths.bytes.max(row.bytes.chars().count());
            widths.field = widths.field.max(row.field.chars().count());
            widths.value = widths.value.max(row.value.chars().count());
        }
        widths
    }
}

/// The line of a field, and one for each of its bits.
fn rows_of(span: &Span<'_>, colours: &mut FieldColours) -> Vec<Row> {
    let node = span.node;
    let gap = node.name == GAP;
    let colour = colours.next(&span.path);
    let style = if gap || !node.complete { ERROR } else { colour };
    let length = node.end - node.start;
    let more = if length > SHOWN_BYTES as u64 { " …" } else { "" };
    let bytes = style::hex(&node.first_bytes[..node.first_bytes.len().min(SHOWN_BYTES)]) + more;
    let (meaning, is_doc) = meaning(node);
    let field = if node.complete { span.path.clone() } else { format!("{} ✗", span.path) };
    let row = Row { style, offset: format!("{:08x}", node.start), bytes, field, value: value(node), meaning, is_doc };
    let bits = node.bits.iter().map(|bits| Row {
        style,
        offset: String::new(),
        bytes: match bits.width {
            1 => format!("bit {}", bits.first),
            width => format!("bits {}..{}", bits.first, bits.first + width),
        },
        field: format!("  .{}", bits.name),
        value: bits.value.to_string(),
        meaning: bits.doc.to_owned(),
        is_doc: true,
    });
    std::iter::once(row).chain(bits).collect()
}

pub(super) fn value(node: &Node) -> String {
    let text = match &node.value {
        Value::None => node.type_name.clone(),
        // A word that is text to the eye.
        Value::Uint(_) if node.first_bytes.len() >= 4 && node.first_bytes.iter().all(u8::is_ascii_graphic) => {
            format!("\"{}\"", String::from_utf8_lossy(&node.first_bytes))
        }
        Value::Uint(number) => style::grouped(*number),
        Value::Name(name) => (*name).to_owned(),
        // They stand in the column of bytes.
        Value::Bytes(..) => node.type_name.clone(),
        value => value.to_string(),
    };
    style::readable(&text)
}

fn meaning(node: &Node) -> (String, bool) {
    if node.meaning.is_empty() { (node.doc.to_owned(), true) } else { (style::readable(&node.meaning), false) }
}

fn print_json(map: &ByteMap, report: &Report, path: &Path, context: &mut Context<'_>) -> io::Result<()> {
    let spans = map.spans();
    let object = MapObject {
        path: path.display().to_string(),
        format: map.format,
        size: report.size,
        spans: spans.iter().map(span_object).collect(),
    };
    json::line(context.out, &object)
}

fn span_object<'a>(span: &'a Span<'a>) -> SpanObject<'a> {
    let node = span.node;
    let bits = node.bits.iter();
    SpanObject {
        path: &span.path,
        space: span.space,
        offset: node.start,
        length: node.end - node.start,
        r#type: &node.type_name,
        value: json_value(&node.value),
        meaning: &node.meaning,
        doc: node.doc,
        bits: bits
            .map(|bits| BitsObject { name: bits.name, first: bits.first, width: bits.width, value: bits.value })
            .collect(),
    }
}

/// Numbers as numbers, everything else as text. A number over 64 bits is text too.
fn json_value(value: &Value) -> serde_json::Value {
    match value {
        Value::None => serde_json::Value::Null,
        Value::Uint(number) => u64::try_from(*number).map_or_else(|_| number.to_string().into(), Into::into),
        Value::Int(number) => i64::try_from(*number).map_or_else(|_| number.to_string().into(), Into::into),
        Value::Flags(bits) => (*bits).into(),
        Value::Float(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
        value => value.to_string().into(),
    }
}
