//! `ndbytes explain --html`: the byte map as a page of its own, with nothing to load from elsewhere.
//!
//! Whatever comes from a file or its name passes through [`Escaped`]. Without its script the page loses only the link
//! between a field's bytes and its line while the pointer is on one of them.

use crate::cli::explain::value;
use crate::cli::style::{counted, cut, grouped, readable};
use ndbytes::schemas::Node;
use ndbytes::{ByteMap, Finding, Format, GAP, Input, Reference, Report, Severity, Space, Span};
use std::fmt::{self, Write as _};
use std::fs;
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::Path;

/// Bytes a line.
const ROW: u64 = 16;

/// How many bytes a long field shows at its start and at its end. Of a space that was inflated, the map carries the
/// first bytes of each field only.
const ENDS_OF_FILE: (u64, u64) = (64, 16);
const ENDS_OF_INFLATED: (u64, u64) = (16, 0);

/// The fields of one space end when they have come to this much text; one more stays well below 64 KiB.
const SPACE_LIMIT: usize = 48 << 10;

/// Letters that are shown of any one text.
const TEXT_LIMIT: usize = 300;

/// The page that explains a file. The bytes of the file itself are read from `input`.
pub fn page(map: &ByteMap, report: &Report, name: &str, input: &Input<'_>) -> String {
    let mut html = String::new();
    write_page(&mut html, map, report, name, input).expect("memory takes all text");
    html
}

/// Writes a page to a file, which appears whole or not at all; for `-`, to standard output.
pub fn save(page: &str, out: &Path) -> io::Result<()> {
    if out == Path::new("-") {
        return io::stdout().lock().write_all(page.as_bytes());
    }
    // Behind a link, the file that it names is replaced, not the link.
    let target = fs::canonicalize(out).unwrap_or_else(|_| out.to_owned());
    let before = fs::metadata(&target).ok();
    if before.as_ref().is_some_and(|before| !before.is_file()) {
        return fs::write(&target, page);
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        let new = || std::os::unix::fs::PermissionsExt::from_mode(0o666);
        builder.permissions(before.map_or_else(new, |before| before.permissions()));
    }
    let mut file = builder.prefix(".ndbytes-").tempfile_in(folder)?;
    file.write_all(page.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(&target)?;
    Ok(())
}

fn write_page(html: &mut String, map: &ByteMap, report: &Report, name: &str, input: &Input<'_>) -> fmt::Result {
    let spans = map.spans();
    let fields: Vec<Field<'_>> = spans.iter().enumerate().map(|place| Field::new(place, report)).collect();
    let gaps: u64 = fields.iter().filter(|field| field.node.name == GAP).map(|field| field.length()).sum();
    let (name, size, verdict) = (Escaped(name), counted(report.size, "byte"), report.verdict());
    let format = map.format.map_or("unknown format", Format::title);
    let accounted = match gaps {
        0 => "<span class=\"ok\">every byte accounted for</span>".to_owned(),
        gaps => format!("<span class=\"error\">{} not accounted for</span>", counted(gaps, "byte")),
    };
    write!(
        html,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>{name}: {verdict}, every byte of it</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <header><h1><bdi>{name}</bdi></h1>\n\
         <p>{format} <i>·</i> {size} <i>·</i> <b class=\"{verdict}\">{verdict}</b> <i>·</i> {accounted}</p></header>\n"
    )?;
    for finding in report.findings() {
        write_finding(html, finding, report.format, &fields)?;
    }
    for space in &map.spaces {
        let fields: Vec<&Field<'_>> = fields.iter().filter(|field| field.span.space == space.id).collect();
        write_space(html, space, &fields, input)?;
    }
    writeln!(html, "<script>{SCRIPT}</script>\n</body>\n</html>")
}

fn write_finding(html: &mut String, finding: &Finding, format: Option<Format>, fields: &[Field<'_>]) -> fmt::Result {
    let Finding { rule, severity, field: path, offset, length, .. } = finding;
    let text = |text: &str| cut(&readable(text), 2 * TEXT_LIMIT);
    writeln!(html, "<article class=\"finding {severity}\"><h2><b>{severity}</b> <code>{}</code></h2>", rule.id)?;
    writeln!(html, "<p class=\"message\">{}</p>\n<dl>", Prose(&text(&finding.message)))?;
    let mut place = match fields.iter().find(|field| field.is_place_of(finding)) {
        Some(field) if path.is_empty() => format!("<a href=\"#f{}\">{}</a>", field.id, Escaped(&field.span.path)),
        Some(field) => format!("<a href=\"#f{}\">{}</a>", field.id, Escaped(path)),
        None => Escaped(path).to_string(),
    };
    match (*length, *offset) {
        (0, 0) => {}
        (0, offset) => place += &format!(" at byte {offset:#x}"),
        (length, offset) => place += &format!(" bytes {offset:#x}..{:#x}", offset.saturating_add(length)),
    }
    if finding.space > 0 {
        place += " of what it inflates to";
    }
    if !place.is_empty() {
        writeln!(html, "<dt>where</dt><dd>{place}</dd>")?;
    }
    for (word, what) in [("expected", &finding.expected), ("found", &finding.found), ("help", &finding.help)] {
        if let Some(what) = what {
            writeln!(html, "<dt>{word}</dt><dd>{}</dd>", Prose(&text(what)))?;
        }
    }
    write!(html, "<dt>rule</dt><dd>{} <i>({})</i>", Prose(rule.doc), Prose(rule.source))?;
    if let Some(reader) = format.map(Format::reference_reader) {
        let does = if rule.reference == Reference::Accepts { "accepts" } else { "refuses" };
        write!(html, "</dd>\n<dt>{reader}</dt><dd>{does} such a file")?;
    }
    writeln!(html, "</dd></dl></article>")
}

fn write_space(html: &mut String, space: &Space, fields: &[&Field<'_>], input: &Input<'_>) -> fmt::Result {
    let digits = format!("{:x}", space.length).len().max(4);
    let mut dump = Dump { digits, ..Dump::default() };
    let mut lines = String::new();
    let mut shown = 0;
    while shown < fields.len() && dump.length() + lines.len() < SPACE_LIMIT {
        dump.field(fields[shown], input)?;
        fields[shown].write_lines(&mut lines, digits)?;
        shown += 1;
    }
    if let [next, ..] = fields[shown..] {
        let (start, more) = (next.node.start, counted((fields.len() - shown) as u64, "more field"));
        dump.line("⋮", &format!("… {}", counted(space.length - start, "more byte")))?;
        write!(lines, "<tbody><tr><td>{start:0digits$x}</td><td colspan=\"4\">… {more}</td></tr></tbody>")?;
    }
    let (title, size) = (Escaped(&space.title), counted(space.length, "byte"));
    writeln!(html, "<section><h2>{title} <i>{size}</i></h2>")?;
    if space.length > 0 {
        let Dump { offsets, hex, ascii, .. } = dump;
        writeln!(html, "<div class=\"dump\"><pre>{offsets}</pre><pre>{hex}</pre><pre>{ascii}</pre></div>")?;
    }
    if space.id > 0 && fields.iter().any(|field| field.length() > ENDS_OF_INFLATED.0) {
        writeln!(html, "<p><i>Of each field, the first {} bytes are shown.</i></p>", ENDS_OF_INFLATED.0)?;
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
    /// How the field stands out: where it is broken, or where findings concern it.
    class: &'static str,
    value: String,
    meaning: String,
    doc: &'static str,
}

impl<'a> Field<'a> {
    fn new((id, span): (usize, &'a Span<'a>), report: &Report) -> Self {
        let node = span.node;
        // A field without a value shows its type alone; a gap says all in its meaning.
        let value = if value(node) == node.type_name { String::new() } else { cut(&value(node), TEXT_LIMIT) };
        let doc = if node.name == GAP { "" } else { node.doc };
        let mut field =
            Field { span, node, id, class: "", value, meaning: cut(&readable(&node.meaning), TEXT_LIMIT), doc };
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

    /// Bytes of the field; fewer where they are not at hand.
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
        self.span.space == finding.space && (named || (self.node.start < to && from < self.node.end))
    }

    /// The attributes that the field has wherever it stands: its class, its key, its colour.
    fn attributes(&self) -> String {
        // The golden angle keeps the colours of neighbours apart.
        let hue = self.id * 1375 / 10 % 360;
        format!("class=\"{}\" data-f=\"{}\" style=\"--h:{hue}\"", self.class, self.id)
    }

    /// What a pointer on the field's bytes is told.
    fn title(&self) -> String {
        let equals = if self.value.is_empty() { "" } else { " = " };
        let mut title = format!("{}: {}", Escaped(&self.span.path), Escaped(&self.node.type_name));
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
        let (path, type_name) = (Escaped(&span.path), Escaped(&node.type_name));
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
            match bits.width {
                1 => write!(html, "<tr class=\"bits\"><td></td><td>bit {}</td>", bits.first)?,
                width => {
                    write!(html, "<tr class=\"bits\"><td></td><td>bits {}..{}</td>", bits.first, bits.first + width)?
                }
            }
            let (value, doc) = (grouped(bits.value), Prose(bits.doc));
            writeln!(html, "<td>.{}</td><td>{value}</td><td><p>{doc}</p></td></tr>", Escaped(bits.name))?;
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
        write!(self.ascii, "<span {attributes} title=\"{title}\">")?;
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

    /// What stands before a byte: a new line with its offset, or a blank.
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

/// The whole lines in the middle of a field that are not shown; at its end where there are too few to leave out.
fn hidden(field: &Range<u64>, space: u32) -> Range<u64> {
    let (head, tail) = if space == 0 { ENDS_OF_FILE } else { ENDS_OF_INFLATED };
    let start = (field.start + head).next_multiple_of(ROW);
    let end = field.end.saturating_sub(tail) / ROW * ROW;
    if end >= start + 2 * ROW { start..end } else { field.end..field.end }
}

/// Text from a file or its name, made harmless: no markup, and nothing that is unseen or changes the order of what is.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|letter| match letter {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'
            | '\0'..='\x1f'
            | '\x7f'..='\u{9f}' => {
                write!(f, "{}", letter.escape_unicode())
            }
            letter => f.write_char(letter),
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

const STYLE: &str = "
:root { color-scheme: light dark; --paper: #fff; --ink: #1c2127; --faint: #5f6873; --rule: #dfe3e8; --link: #0b57a8;
  --red: #b3261e; --red-paper: #fdecea; --amber: #8a5a00; --amber-paper: #fff4dc; --green: #1b6e3c;
  --field: 91% .055; --on: 78% .13; --mono: ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171b; --ink: #e4e7eb; --faint: #98a2ae; --rule: #2d333b;
  --link: #79b8ff; --red: #ff8a80; --red-paper: #3b1c1b; --amber: #f2c14e; --amber-paper: #362a0e; --green: #74d197;
  --field: 34% .06; --on: 50% .11; } }
* { box-sizing: border-box; }
body { max-width: 1200px; margin: 0 auto; padding: 1.5rem clamp(.7rem, 2.5vw, 2rem) 3rem; background: var(--paper);
  color: var(--ink); font: 15px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.5rem; } h2 { margin: 2rem 0 .6rem; font-size: 1.1rem; } p { margin: .3rem 0 0; }
i, th, td p, dt { color: var(--faint); font-style: normal; font-weight: normal; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
code { font: .92em var(--mono); }
.ok { --tone: var(--green); } .warning { --tone: var(--amber); --tint: var(--amber-paper); }
.error, .broken { --tone: var(--red); --tint: var(--red-paper); }
header b { padding: .1rem .55rem; border: 1px solid; border-radius: 1rem; font-size: .88em; }
header .ok, header .warning, header .error { color: var(--tone); }
.finding { margin: 1.2rem 0; padding: .7rem 1rem; border-left: .3rem solid var(--tone); border-radius: .3rem;
  background: var(--tint); }
.finding h2 { margin: 0; color: var(--tone); font-size: 1rem; } .message { font-weight: 600; }
dl { display: grid; grid-template-columns: fit-content(30%) 1fr; gap: .15rem .9rem; margin: .5rem 0 0; } dd { margin: 0; }
.dump { display: flex; gap: 2ch; position: sticky; top: 0; max-height: 50vh; padding: .6rem 0; overflow: auto;
  background: var(--paper); border-bottom: 1px solid var(--rule); font: clamp(9.5px, 2vw, 14px)/1.6 var(--mono); }
pre { margin: 0; font: inherit; overflow-wrap: normal; } pre:first-child { color: var(--faint); text-align: right; }
pre [data-f] { padding: .1em 0; border-radius: .2em; background: oklch(var(--field) var(--h)); color: inherit;
  text-decoration: none; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
pre .broken { color: var(--red);
  background: repeating-linear-gradient(-45deg, var(--red-paper) 0 5px, transparent 5px 8px); }
pre .broken, pre .error, pre .warning { box-shadow: inset 0 -2px var(--tone); }
pre .on, pre :target { background: oklch(var(--on) var(--h)); }
pre :focus-visible::after { content: attr(title); position: fixed; inset: auto 0 0; padding: .6rem 1rem;
  background: var(--ink); color: var(--paper); white-space: pre-wrap; }
table { width: 100%; margin-top: .8rem; border-collapse: collapse; font-size: .9rem; }
th, td { padding: .3rem .7rem; text-align: left; vertical-align: top; overflow-wrap: break-word; }
td { max-width: 24rem; } td:nth-child(-n+4) { font: .92em/1.6 var(--mono); } td p { margin: 0; }
:is(th, td):nth-child(-n+2) { color: var(--faint); text-align: right; white-space: nowrap; }
tbody { border-top: 1px solid var(--rule); scroll-margin-top: 52vh; }
tbody td:first-child { border-left: .35rem solid oklch(var(--on) var(--h)); }
tbody.broken { background: var(--tint); } tbody.broken td { border-color: var(--tone); color: var(--tone); }
tbody:is(.error, .warning) td:nth-child(3) { box-shadow: inset .2rem 0 var(--tone); }
tbody.on, tbody:target { background: oklch(var(--field) var(--h)); }
.bits td { padding-top: 0; color: var(--faint); } .bits td:nth-child(3) { padding-left: 1.8rem; }
@media (max-width: 700px) {
  thead, td:empty { display: none; } tr { display: grid; grid-template-columns: 7rem 1fr; }
  td { max-width: none; padding: .1rem .5rem; } tr td:nth-child(-n+2) { text-align: left; }
  td:nth-child(1) { grid-area: 1 / 1; } td:nth-child(2) { grid-area: 2 / 1; border-left: .35rem solid transparent; }
  td:nth-child(n+3) { grid-column: 2; } .bits td:nth-child(2) { grid-area: 1 / 1; }
}
";
