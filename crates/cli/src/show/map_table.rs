//! Byte maps as tables, with a line for each field.

use crate::show::map_text::{structure_around, structure_title, title_of, value};
use crate::show::names::names_of;
use crate::show::printer::Printer;
use crate::show::style::{self, ERROR, FAINT, FieldColours, HEADING};
use crate::show::text::{LONGEST, PADDED, WIDEST, cut, readable, width};
use anstyle::Style;
use ndbytes::{ByteMap, GAP, Space, Span};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

/// The number of bytes to show of each field.
const SHOWN_BYTES: usize = 8;

/// Prints the fields of a map, space by space, up to the limit.
pub fn print(map: &ByteMap, spans: &[Span<'_>], terminal: Option<usize>, out: &mut Printer<'_>) -> io::Result<()> {
    // Reserves room for the findings.
    let kept = out.room() / 8;
    let mut page = Page { colours: FieldColours::default(), names: names_of(spans), kept, terminal, out };
    // Two spaces are aligned with each other. If there are more, each has its own widths.
    let all = (map.spaces.len() <= 2).then(|| Widths::of(spans));
    let mut rest = spans;
    for space in &map.spaces {
        let (own, others) = rest.split_at(rest.iter().take_while(|span| span.space == space.id).count());
        // A space without fields belongs to another part.
        if own.is_empty() {
            continue;
        }
        page.space(space, &title_of(space, map), own, all.unwrap_or_else(|| Widths::of(own)))?;
        if page.is_full() {
            let left = others.iter().filter(|span| !is_void(span)).count() as u64;
            if left > 0 {
                let left = style::counted(left, "more field");
                writeln!(page.out, "{FAINT}… and {left} in decompressed spaces; --json lists them{FAINT:#}\n")?;
            }
            break;
        }
        rest = others;
    }
    Ok(())
}

/// Returns whether a field inside a structure has no bytes, like the parameters of some codecs, so that its line would
/// be empty.
fn is_void(span: &Span<'_>) -> bool {
    span.node.start() == span.node.end() && span.node.is_complete() && span.path.contains('.')
}

/// The printed fields, space by space.
struct Page<'p, 'a> {
    colours: FieldColours,
    names: HashMap<String, String>,
    /// The remaining room.
    kept: u64,
    terminal: Option<usize>,
    out: &'p mut Printer<'a>,
}

impl Page<'_, '_> {
    /// Returns whether the output has reached its limit.
    fn is_full(&self) -> bool {
        self.out.room() <= self.kept
    }

    /// Prints the fields of a space.
    fn space(&mut self, space: &Space, title: &str, spans: &[Span<'_>], widths: Widths) -> io::Result<()> {
        let terminal = self.terminal;
        if space.id > 0 {
            writeln!(self.out, "{HEADING}{title}{HEADING:#}  {}\n", style::counted(space.length, "byte"))?;
        }
        let mut fitting = widths.fitting(terminal);
        // If paths are too long, the path of a structure is printed only once for all of its fields.
        let is_grouped = fitting.field < widths.field;
        if is_grouped {
            fitting = Widths { field: Widths::of(spans).own_field, ..widths }.fitting(terminal);
        }
        let Widths { bytes, field, value, .. } = fitting;
        writeln!(
            self.out,
            "{FAINT}{:<8}  {:<bytes$}  {:<field$}  {:<value$}  meaning{FAINT:#}",
            "offset", "bytes", "field", "value"
        )?;
        let mut group = "";
        let mut shown = spans.iter().filter(|span| !is_void(span)).peekable();
        while let Some(span) = shown.next() {
            if self.is_full() {
                let more = style::counted(1 + shown.count() as u64, "more field");
                return writeln!(self.out, "{FAINT}… and {more}; --json lists them{FAINT:#}\n");
            }
            let style = self.style(span);
            let around = structure_around(&span.path);
            let mut name = marked_path(span);
            if is_grouped {
                let is_alone =
                    around != group && shown.peek().is_none_or(|next| structure_around(&next.path) != around);
                if is_alone && width(&name) <= field {
                    // A single field needs no line for its structure.
                    group = "";
                } else {
                    if around != group && !around.is_empty() {
                        self.group(around, style, 8 + 2 + bytes + 2)?;
                    }
                    group = around;
                    name = format!("{}{}", if around.is_empty() { "" } else { " " }, &name[around.len()..]);
                }
            }
            rows_of(span, name).try_for_each(|row| self.row(&row, style, fitting))?;
        }
        writeln!(self.out)
    }

    /// Returns the colour of a field.
    fn style(&mut self, span: &Span<'_>) -> Style {
        let colour = self.colours.next(&span.path);
        if span.node.name() == GAP || !span.node.is_complete() { ERROR } else { colour }
    }

    /// Prints the line above the fields of a structure.
    fn group(&mut self, path: &str, style: Style, indent: usize) -> io::Result<()> {
        let terminal = self.terminal.unwrap_or(LONGEST);
        let title = cut(&structure_title(path, &self.names), terminal);
        let indent = indent.min(terminal.saturating_sub(width(&title)));
        writeln!(self.out, "{:indent$}{style}{title}{style:#}", "")
    }

    /// Prints a row, cut to the widths of its columns.
    fn row(&mut self, row: &Row<'_>, style: Style, widths: Widths) -> io::Result<()> {
        let (terminal, out) = (self.terminal, &mut *self.out);
        let Widths { bytes, field, value, .. } = widths;
        let name = cut(&row.field, field);
        write!(out, "{FAINT}{:<8}{FAINT:#}  {style}{:<bytes$}{style:#}  ", row.offset, cut(&row.bytes, bytes))?;
        write!(out, "{style}{name}{style:#}{:1$}  ", "", field - width(&name))?;
        let padding = if row.meaning.is_empty() { 0 } else { value };
        let shown = cut(&row.value, terminal.map_or(WIDEST, |_| value));
        write!(out, "{HEADING}{shown}{HEADING:#}{:1$}", "", padding.saturating_sub(width(&shown)))?;
        let room = terminal.map_or(LONGEST, |width| width.saturating_sub(8 + bytes + field + value + 8));
        let meaning = cut(&row.meaning, room);
        match (row.is_doc, meaning.is_empty()) {
            (_, true) => writeln!(out),
            (true, _) => writeln!(out, "  {FAINT}{meaning}{FAINT:#}"),
            (false, _) => writeln!(out, "  {meaning}"),
        }
    }
}

/// Returns the path of a field, with a marker if the field is cut off.
fn marked_path(span: &Span<'_>) -> String {
    if span.node.is_complete() { span.path.clone() } else { format!("{} ✗", span.path) }
}

/// One line of the table.
struct Row<'n> {
    offset: String,
    bytes: String,
    field: String,
    value: String,
    meaning: Cow<'n, str>,
    /// Whether the meaning is the field's documentation, since the value has none.
    is_doc: bool,
}

/// The widths of all columns except the last.
#[derive(Clone, Copy)]
struct Widths {
    bytes: usize,
    field: usize,
    /// The width of the fields without the paths of their structures.
    own_field: usize,
    value: usize,
}

impl Widths {
    /// Returns the widths that the longest cells need.
    fn of(spans: &[Span<'_>]) -> Self {
        let mut widths = Widths { bytes: 5, field: 5, own_field: 5, value: 5 };
        for span in spans.iter().filter(|span| !is_void(span)) {
            let around = structure_around(&span.path).len();
            for (place, row) in rows_of(span, marked_path(span)).enumerate() {
                let field = width(&row.field);
                widths.bytes = widths.bytes.max(width(&row.bytes));
                widths.field = widths.field.max(field);
                widths.own_field = widths.own_field.max(if place == 0 { field - around } else { field } + 1);
                widths.value = widths.value.max(width(&row.value).min(PADDED));
            }
        }
        widths
    }

    /// Narrows the columns to leave room for some of the meaning.
    fn fitting(&self, terminal: Option<usize>) -> Self {
        let Widths { bytes, field, own_field, value } = *self;
        let Some(width) = terminal else { return *self };
        let most = |part: usize| (width / part).max(8);
        let value = value.min(most(6));
        let bytes = if width < 100 { bytes.min(13) } else { bytes };
        let left = width.saturating_sub(8 + bytes + value + 8 + most(5));
        Widths { bytes, field: field.min(left.max(16)), own_field, value }
    }
}

/// Returns the line of a field under this name, and a line for each of its bits.
fn rows_of<'n>(span: &Span<'n>, field: String) -> impl Iterator<Item = Row<'n>> {
    let node = span.node;
    let more = if node.length() > SHOWN_BYTES as u64 { " …" } else { "" };
    let bytes = style::hex(&node.first_bytes()[..node.first_bytes().len().min(SHOWN_BYTES)]) + more;
    let (meaning, is_doc) = match node.meaning().is_empty() {
        true => (Cow::Borrowed(node.doc()), true),
        false => (readable(&node.meaning()).into(), false),
    };
    let offset = format!("{:08x}", node.start());
    let row = Row { offset, bytes, field, value: value(node, WIDEST), meaning, is_doc };
    let bits = node.bits().into_iter().map(|bits| Row {
        offset: String::new(),
        bytes: style::bit_range(bits.first, bits.width),
        field: format!("  .{}", bits.name),
        value: bits.value.to_string(),
        meaning: if bits.meaning.is_empty() { bits.doc.to_string() } else { bits.meaning.to_string() }.into(),
        is_doc: bits.meaning.is_empty(),
    });
    std::iter::once(row).chain(bits)
}
