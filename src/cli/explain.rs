//! `ndbytes explain`

use super::style::{self, ERROR, FAINT, FieldColours, HEADING, OK, cut};
use super::{Context, DepthArgument, Outcome, diagnostic, html, json, open, shown};
use anstyle::Style;
use ndbytes::schemas::{Node, Value};
use ndbytes::{ByteMap, Checker, GAP, Input, Report, Space, Span, Verdict};
use serde::Serialize;
use std::collections::HashMap;
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
            let shown = spans.iter().filter(|span| span.space == space.id && !is_void(span));
            shown.flat_map(|span| rows_of(span, &mut colours)).collect()
        })
        .collect();
    let names = names_of(&spans);
    // Two spaces line up. Of many, each has the widths that it needs.
    let all = Widths::of(rows.iter().flatten());
    for (space, rows) in map.spaces.iter().zip(&rows) {
        let own = (map.spaces.len() > 2).then(|| Widths::of(rows.iter()));
        print_space(space, &title_of(space, map), rows, &names, own.as_ref().unwrap_or(&all), context.out)?;
    }
    diagnostic::print_all(report.findings(), path, report.format, context)?;
    let gaps = spans.iter().filter(|span| span.node.name == GAP).map(|span| span.node.end - span.node.start);
    match gaps.sum::<u64>() {
        0 => writeln!(context.out, "{OK}every byte accounted for{OK:#}"),
        gaps => writeln!(context.out, "{ERROR}{} not accounted for{ERROR:#}", style::counted(gaps, "byte")),
    }
}

/// Whether a field inside a structure has no bytes, as the parameters of codecs that have none: a line would say nothing.
fn is_void(span: &Span<'_>) -> bool {
    span.node.start == span.node.end && span.node.complete && span.path.contains('.')
}

fn print_space(
    space: &Space,
    title: &str,
    rows: &[Row],
    names: &HashMap<String, String>,
    widths: &Widths,
    out: &mut dyn Write,
) -> io::Result<()> {
    if space.id > 0 {
        writeln!(out, "{HEADING}{title}{HEADING:#}  {}\n", style::counted(space.length, "byte"))?;
    }
    let terminal = style::terminal_width();
    let mut fitting = widths.fitting(terminal);
    // Paths that are too long are told once for all fields of a structure.
    let grouped = fitting.field < widths.field;
    if grouped {
        let own = rows.iter().map(|row| style::width(&row.field) - style::width(structure_around(&row.field)) + 1);
        let field = own.chain([5]).max().unwrap_or(0);
        fitting = Widths { field, ..*widths }.fitting(terminal);
    }
    let Widths { bytes, field, value } = fitting;
    writeln!(
        out,
        "{FAINT}{:<8}  {:<bytes$}  {:<field$}  {:<value$}  meaning{FAINT:#}",
        "offset", "bytes", "field", "value"
    )?;
    let room = terminal.map_or(usize::MAX, |width| width.saturating_sub(8 + bytes + field + value + 8));
    let mut group = "";
    for (place, row) in rows.iter().enumerate() {
        let Row { style, offset, .. } = row;
        let mut name = row.field.clone();
        if grouped {
            let around = structure_around(&row.field);
            let next = rows[place + 1..].iter().find(|row| !row.offset.is_empty());
            let is_alone = around != group && next.is_none_or(|row| structure_around(&row.field) != around);
            if row.offset.is_empty() {
                // Bits belong to the field above.
            } else if is_alone && style::width(&name) <= field {
                // A field alone needs no line for its structure.
                group = "";
            } else {
                if around != group && !around.is_empty() {
                    let title = structure_title(around, names);
                    let title = cut(&title, terminal.unwrap_or(usize::MAX));
                    let left = terminal.unwrap_or(usize::MAX).saturating_sub(style::width(&title));
                    writeln!(out, "{:1$}{style}{title}{style:#}", "", left.min(8 + 2 + bytes + 2))?;
                }
                group = around;
                name = format!("{}{}", if around.is_empty() { "" } else { " " }, &row.field[around.len()..]);
            }
        }
        let name = cut(&name, field);
        write!(out, "{FAINT}{offset:<8}{FAINT:#}  {style}{:<bytes$}{style:#}  ", cut(&row.bytes, bytes))?;
        write!(out, "{style}{name}{style:#}{:1$}  ", "", field - style::width(&name))?;
        let padding = if row.meaning.is_empty() { 0 } else { value };
        let shown = cut(&row.value, value);
        write!(out, "{HEADING}{shown}{HEADING:#}{:1$}", "", padding.saturating_sub(style::width(&shown)))?;
        let meaning = cut(&row.meaning, room);
        match (row.is_doc, meaning.is_empty()) {
            (_, true) => writeln!(out)?,
            (true, _) => writeln!(out, "  {FAINT}{meaning}{FAINT:#}")?,
            (false, _) => writeln!(out, "  {meaning}")?,
        }
    }
    writeln!(out)
}

/// What a space is, and its number where there are several.
pub(super) fn title_of(space: &Space, map: &ByteMap) -> String {
    let title = style::harmless(&space.title);
    if space.id > 0 && map.spaces.len() > 2 { format!("space {}: {title}", space.id) } else { title }
}

/// The path of the structure that a field is in: `block[0]` of `block[0].length`.
fn structure_around(path: &str) -> &str {
    &path[..path.rfind('.').unwrap_or(0)]
}

/// The path of a structure; if it is in an element that has a name, with that: `columns[2] "Label" .lookup`.
fn structure_title(path: &str, names: &HashMap<String, String>) -> String {
    let end = path.find(']').map_or(path.len(), |end| end + 1);
    match (names.get(&path[..end]), &path[end..]) {
        (Some(name), "") => format!("{path} \"{name}\""),
        (Some(name), rest) => format!("{} \"{name}\" {rest}", &path[..end]),
        (None, _) => path.to_owned(),
    }
}

/// The names that elements of lists have, by their paths.
pub(super) fn names_of(spans: &[Span<'_>]) -> HashMap<String, String> {
    let named = spans.iter().filter_map(|span| match &span.node.value {
        Value::Text(name) => Some((span.path.strip_suffix(".name")?.to_owned(), cut(&style::escaped(name), 30))),
        _ => None,
    });
    named.filter(|(path, _)| path.ends_with(']')).collect()
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
#[derive(Clone, Copy)]
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

    /// Narrower columns, so that some of the meaning has room too.
    fn fitting(&self, terminal: Option<usize>) -> Self {
        let Widths { bytes, field, value } = *self;
        let Some(width) = terminal else { return *self };
        let most = |part: usize| (width / part).max(8);
        let value = value.min(most(6));
        let bytes = if width < 100 { bytes.min(13) } else { bytes };
        let left = width.saturating_sub(8 + bytes + value + 8 + most(5));
        Widths { bytes, field: field.min(left.max(16)), value }
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
        // As many digits as a single needs.
        Value::Single(number) => number.to_string().parse::<f64>().ok().into(),
        Value::Float(number) => (*number).into(),
        Value::Text(text) => text.as_str().into(),
        value => value.to_string().into(),
    }
}
