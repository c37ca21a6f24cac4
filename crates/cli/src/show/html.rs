//! `ndbytes explain --html`: the byte map as a page of its own, with nothing to load from elsewhere.
//!
//! All text from a file or its name passes through [`Escaped`]. Without its script the page loses only the link
//! between a field's bytes and its line while the pointer is on one of them.

use crate::show::finding_text::{byte_range, help, reader};
use crate::show::map_text::{accounted_for, kind_of, names_of, title_of, value};
use crate::show::style::{ERROR, OK, bit_range, counted, grouped};
use crate::show::text::{cut, readable, write_letter};
use ndbytes::everybyte::Node;
use ndbytes::{ByteMap, Finding, Format, GAP, Input, Report, Scope, Severity, Space, Span};
use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::ops::Range;

/// The mark that tells a page from those of other programs.
const GENERATOR: &str = "<meta name=\"generator\" content=\"ndbytes\">";

/// Bytes a line.
const ROW: u64 = 16;

/// The number of bytes that a long field shows at its start and at its end. In an inflated space, the map has only the
/// first bytes of each field.
const ENDS_OF_FILE: (u64, u64) = (64, 16);
const ENDS_OF_INFLATED: (u64, u64) = (16, 0);

/// The fields of one space end when they take this much text; one more stays well below 64 KiB.
const SPACE_LIMIT: usize = 48 << 10;

/// The same for the file itself if it holds a table, which has some ten fields a column, or chunks or entries, which have
/// more.
const PARTS_LIMIT: usize = 512 << 10;

/// The spaces end when the page has this much text.
const PAGE_LIMIT: usize = 2 << 20;

/// The number of letters that are shown of one text.
const TEXT_LIMIT: usize = 300;

/// The page that explains a file. The bytes of the file itself are read from `input`.
pub fn page(map: &ByteMap, report: &Report, name: &str, input: &Input<'_>) -> String {
    let mut html = String::new();
    write_page(&mut html, map, report, name, input).expect("memory takes all text");
    html
}

/// Returns whether a file that begins with `head` is such a page.
pub fn is_page(head: &[u8]) -> bool {
    head.windows(GENERATOR.len()).any(|bytes| bytes == GENERATOR.as_bytes())
}

fn write_page(html: &mut String, map: &ByteMap, report: &Report, name: &str, input: &Input<'_>) -> fmt::Result {
    let spans = map.spans();
    let fields: Vec<Field<'_>> = spans.iter().enumerate().map(|place| Field::new(place, report)).collect();
    let (name, size, verdict) = (Escaped(name), counted(report.size, "byte"), report.verdict());
    let format = kind_of(map);
    let (weight, words) = accounted_for(&spans, report);
    let accounted = match [(OK, "ok"), (ERROR, "error")].iter().find(|(style, _)| *style == weight) {
        Some((_, class)) => format!("<span class=\"{class}\">{words}</span>"),
        None => words,
    };
    write!(
        html,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         {GENERATOR}\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>{name}: {verdict}, every byte of it</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <header><h1><bdi>{name}</bdi></h1>\n\
         <p>{format} <i>·</i> {size} <i>·</i> <b class=\"{verdict}\">{verdict}</b> <i>·</i> {accounted}</p></header>\n"
    )?;
    let names = names_of(&spans);
    for finding in report.findings() {
        write_finding(html, finding, report.format, &names, &fields)?;
    }
    for (place, space) in map.spaces.iter().enumerate() {
        if html.len() > PAGE_LIMIT {
            let more = counted((map.spaces.len() - place) as u64, "more space");
            writeln!(html, "<p><i>… {more} of what is decompressed.</i></p>")?;
            break;
        }
        let fields: Vec<&Field<'_>> = fields.iter().filter(|field| field.span.space == space.id).collect();
        let has_parts = space.id == 0 && (map.is_archive || matches!(map.format, Some(Format::Idv | Format::B2nd)));
        let limit = if has_parts { PARTS_LIMIT } else { SPACE_LIMIT };
        write_space(html, space, &title_of(space, map), &fields, limit, input)?;
    }
    writeln!(html, "<script>{SCRIPT}</script>\n</body>\n</html>")
}

fn write_finding(
    html: &mut String,
    finding: &Finding,
    format: Option<Format>,
    names: &HashMap<String, String>,
    fields: &[Field<'_>],
) -> fmt::Result {
    let Finding { rule, severity, field: path, .. } = finding;
    writeln!(html, "<article class=\"finding {severity}\"><h2><b>{severity}</b> <code>{}</code></h2>", rule.id)?;
    writeln!(html, "<p class=\"message\">{}</p>\n<dl>", Prose(&readable(&finding.message)))?;
    let mut place = match fields.iter().find(|field| field.is_place_of(finding)) {
        Some(field) if path.is_empty() => format!("<a href=\"#f{}\">{}</a>", field.id, Escaped(&field.span.path)),
        Some(field) => format!("<a href=\"#f{}\">{}</a>", field.id, Escaped(path)),
        None => Escaped(path).to_string(),
    };
    if let Some(name) = path.find(']').and_then(|end| names.get(&path[..=end])) {
        place += &format!(" <i>of</i> \"{}\"", Escaped(name));
    }
    if let Some(range) = byte_range(finding) {
        place += &format!(" {range}");
    }
    if let Some(member) = &finding.member {
        place += &format!(" <i>of the member</i> <bdi>{}</bdi>", Escaped(&cut(&readable(member), TEXT_LIMIT)));
    }
    if let Some(name) = finding.space_name() {
        place += &format!(" of {name}");
    }
    if !place.is_empty() {
        writeln!(html, "<dt>where</dt><dd>{place}</dd>")?;
    }
    let help = help(finding);
    for (word, what) in [("expected", &finding.expected), ("found", &finding.found), ("help", &help)] {
        if let Some(what) = what {
            writeln!(html, "<dt>{word}</dt><dd>{}</dd>", Prose(&readable(what)))?;
        }
    }
    write!(html, "<dt>rule</dt><dd>{} <i>({})</i>", Prose(rule.doc), Prose(rule.source))?;
    if let (Some(reader), Some(verb)) = (reader(finding, format), finding.reference.verb()) {
        write!(html, "</dd>\n<dt>reader</dt><dd>{reader} {verb} such a file")?;
    }
    writeln!(html, "</dd></dl></article>")
}

fn write_space(
    html: &mut String,
    space: &Space,
    title: &str,
    fields: &[&Field<'_>],
    limit: usize,
    input: &Input<'_>,
) -> fmt::Result {
    let digits = format!("{:x}", space.length).len().max(4);
    let mut dump = Dump { digits, ..Dump::default() };
    let mut lines = String::new();
    let mut shown = 0;
    while shown < fields.len() && dump.length() + lines.len() < limit {
        dump.field(fields[shown], input)?;
        fields[shown].write_lines(&mut lines, digits)?;
        shown += 1;
    }
    if let [next, ..] = fields[shown..] {
        let (start, more) = (next.node.start, counted((fields.len() - shown) as u64, "more field"));
        dump.line("⋮", &format!("… {}", counted(space.length - start, "more byte")))?;
        write!(lines, "<tbody><tr><td>{start:0digits$x}</td><td colspan=\"4\">… {more}</td></tr></tbody>")?;
    }
    let (title, size) = (Escaped(title), counted(space.length, "byte"));
    writeln!(html, "<section><h2>{title} <i>{size}</i></h2>")?;
    if space.length > 0 {
        let Dump { offsets, hex, ascii, .. } = dump;
        writeln!(html, "<div class=\"dump\"><pre>{offsets}</pre><pre>{hex}</pre><pre>{ascii}</pre></div>")?;
    }
    if space.id > 0 && fields.iter().any(|field| field.length() > ENDS_OF_INFLATED.0) {
        writeln!(html, "<p><i>Of each field, the first {} bytes are shown.</i></p>", ENDS_OF_INFLATED.0)?;
    }
    if fields.is_empty() {
        return writeln!(html, "</section>");
    }
    write!(html, "<table><thead><tr><th>offset</th><th>length</th><th>field</th><th>value</th><th>meaning</th></tr>")?;
    writeln!(html, "</thead>\n{lines}</table></section>")
}

/// A field as the page shows it.
struct Field<'a> {
    span: &'a Span<'a>,
    node: &'a Node,
    /// Its place in the map. Gives it a name in the page, and a colour.
    id: usize,
    /// The highlight of the field: broken, or concerned by findings.
    class: &'static str,
    type_name: String,
    value: String,
    meaning: String,
    doc: &'static str,
}

impl<'a> Field<'a> {
    fn new((id, span): (usize, &'a Span<'a>), report: &Report) -> Self {
        let node = span.node;
        let type_name = readable(&node.type_name);
        // A field without a value shows its type alone; a gap has only a meaning.
        let value = Some(value(node, TEXT_LIMIT)).filter(|value| *value != type_name).unwrap_or_default();
        let doc = if node.name == GAP { "" } else { node.doc };
        let meaning = cut(&readable(&node.meaning), TEXT_LIMIT);
        let mut field = Field { span, node, id, class: "", type_name, value, meaning, doc };
        let findings = report.findings().iter().filter(|finding| field.is_place_of(finding));
        field.class = match findings.map(|finding| finding.severity).max() {
            _ if node.name == GAP || !node.complete => "broken",
            Some(Severity::Error) => "error",
            Some(Severity::Warning) => "warning",
            None => "",
        };
        field
    }

    fn length(&self) -> u64 {
        self.node.end - self.node.start
    }

    /// Bytes of the field; fewer if they are not at hand.
    fn bytes(&self, range: Range<u64>, input: &Input<'_>) -> Vec<u8> {
        if self.span.space == 0 {
            let mut bytes = vec![0; (range.end - range.start) as usize];
            return input.read_at(&mut bytes, range.start).map_or_else(|_| Vec::new(), |()| bytes);
        }
        self.node.first_bytes.iter().skip((range.start - self.node.start) as usize).copied().collect()
    }

    fn is_place_of(&self, finding: &Finding) -> bool {
        let (from, to) = (finding.offset, finding.offset.saturating_add(finding.length));
        let named = !finding.field.is_empty() && self.span.path == finding.field;
        let is_here = finding.member.is_none() || finding.rule.scope == Scope::Zip;
        is_here && self.span.space == finding.space && (named || (self.node.start < to && from < self.node.end))
    }

    /// The attributes of the field in all places: its class, its key, its colour.
    fn attributes(&self) -> String {
        // The golden angle keeps the colours of neighbours apart.
        let hue = self.id * 1375 / 10 % 360;
        let class = if self.class.is_empty() { String::new() } else { format!("class=\"{}\" ", self.class) };
        format!("{class}data-f=\"{}\" style=\"--h:{hue}\"", self.id)
    }

    /// The text that a pointer on the field's bytes shows.
    fn title(&self) -> String {
        let equals = if self.value.is_empty() { "" } else { " = " };
        let mut title = format!("{}: {}", Escaped(&self.span.path), Escaped(&self.type_name));
        title += &format!("{equals}{}", Escaped(&self.value));
        for line in [&self.meaning, self.doc].iter().filter(|line| !line.is_empty()) {
            title += &format!("&#10;{}", Escaped(line));
        }
        title
    }

    /// The field's line in the table, and one for each range of its bits.
    fn write_lines(&self, html: &mut String, digits: usize) -> fmt::Result {
        let Field { span, node, id, value, meaning, .. } = self;
        let mark = if node.complete { "" } else { " ✗" };
        let (path, type_name) = (Escaped(&span.path), Escaped(&self.type_name));
        write!(html, "<tbody id=\"f{id}\" {}><tr><td>{:0digits$x}</td>", self.attributes(), node.start)?;
        write!(html, "<td>{}</td>", grouped(self.length()))?;
        match self.length() {
            0 => write!(html, "<td>{path}{mark} <i>{type_name}</i></td>")?,
            _ => write!(html, "<td><a href=\"#b{id}\">{path}</a>{mark} <i>{type_name}</i></td>")?,
        }
        write!(html, "<td>{}</td><td>{}", Escaped(value), Prose(meaning))?;
        if !self.doc.is_empty() {
            write!(html, "<p>{}</p>", Prose(self.doc))?;
        }
        html.push_str("</td></tr>\n");
        for bits in &node.bits {
            let place = bit_range(bits.first, bits.width);
            let (value, meaning, doc) = (grouped(bits.value), Prose(bits.meaning), Prose(bits.doc));
            write!(html, "<tr class=\"bits\"><td></td><td>{place}</td><td>.{}</td>", Escaped(bits.name))?;
            writeln!(html, "<td>{value}</td><td>{meaning}<p>{doc}</p></td></tr>")?;
        }
        writeln!(html, "</tbody>")
    }
}

/// The bytes of a space in three columns of text with the same lines.
#[derive(Default)]
struct Dump {
    digits: usize,
    offsets: String,
    hex: String,
    ascii: String,
}

impl Dump {
    fn length(&self) -> usize {
        self.offsets.len() + self.hex.len() + self.ascii.len()
    }

    /// Adds a field. Its text runs on over the ends of lines, so that one element holds all of it.
    fn field(&mut self, field: &Field<'_>, input: &Input<'_>) -> fmt::Result {
        let range = field.node.start..field.node.end;
        if range.is_empty() {
            return Ok(());
        }
        let (id, attributes, title) = (field.id, field.attributes(), field.title());
        self.separate(range.start)?;
        write!(self.hex, "<a id=\"b{id}\" href=\"#f{id}\" {attributes} title=\"{title}\">")?;
        write!(self.ascii, "<span {attributes}>")?;
        let hidden = hidden(&range, field.span.space);
        self.bytes(range.start..hidden.start, field, input)?;
        if !hidden.is_empty() {
            self.line("⋮", &format!("… {}", counted(hidden.end - hidden.start, "byte")))?;
            self.bytes(hidden.end..range.end, field, input)?;
        }
        self.hex.push_str("</a>");
        self.ascii.push_str("</span>");
        Ok(())
    }

    fn bytes(&mut self, range: Range<u64>, field: &Field<'_>, input: &Input<'_>) -> fmt::Result {
        let bytes = field.bytes(range.clone(), input);
        for (place, offset) in range.enumerate() {
            if offset > field.node.start {
                self.separate(offset)?;
            }
            match bytes.get(place) {
                Some(byte) => write!(self.hex, "{byte:02x}")?,
                None => self.hex.push_str("··"),
            }
            let letter = bytes.get(place).map(|byte| char::from(*byte)).filter(|letter| matches!(letter, ' '..='~'));
            write!(self.ascii, "{}", Escaped(letter.unwrap_or('·').encode_utf8(&mut [0; 4])))?;
        }
        Ok(())
    }

    /// Writes the separator before a byte: a new line with its offset, or a blank.
    fn separate(&mut self, offset: u64) -> fmt::Result {
        match offset % ROW {
            0 => self.line(&format!("{offset:0digits$x}", digits = self.digits), ""),
            8 => write!(self.hex, "  "),
            _ => write!(self.hex, " "),
        }
    }

    /// Begins a line.
    fn line(&mut self, label: &str, words: &str) -> fmt::Result {
        let end = if self.offsets.is_empty() { "" } else { "\n" };
        self.ascii.push_str(end);
        write!(self.offsets, "{end}{label}")?;
        write!(self.hex, "{end}{words}")
    }
}

/// The whole lines in the middle of a field that are not shown; empty, at its end, if there are too few to leave out.
fn hidden(field: &Range<u64>, space: u32) -> Range<u64> {
    let (head, tail) = if space == 0 { ENDS_OF_FILE } else { ENDS_OF_INFLATED };
    let start = (field.start + head).next_multiple_of(ROW);
    let end = field.end.saturating_sub(tail) / ROW * ROW;
    if end >= start + 2 * ROW { start..end } else { field.end..field.end }
}

/// Text from a file or its name, made harmless: without markup, unseen letters, and marks that change the order.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|letter| match letter {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            letter => write_letter(f, letter),
        })
    }
}

/// Sentences with code between backticks.
struct Prose<'a>(&'a str);

impl fmt::Display for Prose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.split('`').enumerate().try_for_each(|(place, part)| match place % 2 {
            0 => write!(f, "{}", Escaped(part)),
            _ => write!(f, "<code>{}</code>", Escaped(part)),
        })
    }
}

/// Marks every part of the field that the pointer or the keyboard is on.
const SCRIPT: &str = "
for (const [type, on] of [['mouseover', true], ['mouseout', false], ['focusin', true], ['focusout', false]])
  document.addEventListener(type, event => {
    const key = event.target.closest('[data-f]')?.dataset.f;
    if (key) document.querySelectorAll(`[data-f=\"${key}\"]`).forEach(part => part.classList.toggle('on', on));
  });
";

const STYLE: &str = include_str!("html.css");
