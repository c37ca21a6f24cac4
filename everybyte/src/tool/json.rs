//! A file as one JSON object, with the same keys as `ndbytes explain --json` and the key `findings`.

use crate::diff::{Change, Data, Moved, Place, Structure};
use crate::escape::is_unseen;
use crate::finding::Finding;
use crate::format::Explained;
use crate::map::{Space, keyed_spans, openers};
use crate::value::Value;
use std::io::{self, Write};

/// Explains a file as a single line of JSON, like `explain --json`. `path` is the name of the file, and `size` is its length.
pub fn to_json(explained: &Explained, path: &str, size: u64) -> String {
    let mut object = Vec::new();
    // Writing to memory never fails.
    let _ = print(explained, path, size, &mut object);
    String::from_utf8(object).unwrap_or_default()
}

pub fn print(explained: &Explained, path: &str, size: u64, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"path\":{},\"format\":{},\"size\":{size},\"spaces\":[", text(path), text(&explained.format))?;
    let openers = openers(&explained.spaces);
    for (place, Space { id, title, length, .. }) in explained.spaces.iter().enumerate() {
        let (comma, opener) = (if place > 0 { "," } else { "" }, openers.get(id));
        let opener = opener.map_or_else(|| "null".to_owned(), |path| text(path));
        write!(out, "{comma}{{\"id\":{id},\"title\":{},\"length\":{length},\"opened_by\":{opener}}}", text(title))?;
    }
    out.write_all(b"],\"spans\":[")?;
    for (place, span) in keyed_spans(&explained.spaces).iter().enumerate() {
        let (node, comma) = (span.node, if place > 0 { "," } else { "" });
        write!(out, "{comma}{{\"path\":{},", text(&span.path))?;
        if let Some(key) = &span.key {
            write!(out, "\"key\":{},", text(key))?;
        }
        write!(out, "\"space\":{},", span.space)?;
        write!(out, "\"offset\":{},\"length\":{},", node.start(), node.end() - node.start())?;
        write!(out, "\"type\":{},\"value\":{},", text(node.type_name()), value(&node.value()))?;
        write!(out, "\"meaning\":{},\"doc\":{}", text(&node.meaning()), text(node.doc()))?;
        if let Some(role) = &node.role() {
            write!(out, ",\"role\":{}", text(role.name()))?;
            for (key, words) in
                [("target", role.target().map(|target| target.path.as_str().to_owned())), ("origin", role.origin())]
            {
                if let Some(words) = words {
                    write!(out, ",\"{key}\":{}", text(&words))?;
                }
            }
        }
        if let Some(space) = node.opens() {
            write!(out, ",\"opens\":{space}")?;
        }
        for (place, bits) in node.bits().iter().enumerate() {
            out.write_all(if place == 0 { b",\"bits\":[" } else { b"," })?;
            let (name, first, width, value) = (text(&bits.name), bits.first, bits.width, bits.value);
            write!(out, "{{\"name\":{name},\"first\":{first},\"width\":{width},\"value\":{value}")?;
            if !bits.meaning.is_empty() {
                write!(out, ",\"meaning\":{}", text(&bits.meaning))?;
            }
            out.write_all(b"}")?;
        }
        out.write_all(if node.bits().is_empty() { b"}" } else { b"]}" })?;
    }
    write!(out, "],\"findings\":[")?;
    list(&explained.findings, out, finding)?;
    writeln!(out, "]}}")
}

fn finding(finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"rule\":{},\"path\":{},", text(&finding.rule), text(&finding.path))?;
    let length = finding.bytes.end - finding.bytes.start;
    write!(out, "\"space\":{},\"offset\":{},\"length\":{length},", finding.space, finding.bytes.start)?;
    write!(out, "\"message\":{}}}", text(&finding.message))
}

/// Writes the elements of a list, separated by commas.
fn list<'l, T: 'l>(
    elements: impl IntoIterator<Item = &'l T>,
    out: &mut dyn Write,
    mut print: impl FnMut(&T, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    for (place, element) in elements.into_iter().enumerate() {
        if place > 0 {
            out.write_all(b",")?;
        }
        print(element, out)?;
    }
    Ok(())
}

/// Prints a comparison of two files as one object, with the same keys as `ndbytes diff --json`.
pub fn print_diff(
    files: [(&str, u64); 2],
    format: &str,
    structure: &Structure,
    findings: [Vec<&Finding>; 2],
    is_identical: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all(b"{")?;
    for ((path, size), side) in files.into_iter().zip(["a", "b"]) {
        write!(out, "\"{side}\":{{\"path\":{},\"format\":{},\"size\":{size}}},", text(path), text(format))?;
    }
    let verdict = if is_identical { "identical" } else { "differ" };
    write!(out, "\"verdict\":\"{verdict}\",\"counts\":{{")?;
    for kind in ["changed", "added", "removed", "reordered", "points_elsewhere"] {
        let changes = structure.changes.iter().filter(|change| change.kind.name() == kind);
        write!(out, "\"{kind}\":{},", changes.map(|change| change.times.0).sum::<u64>())?;
    }
    let Structure { follows, recoded, elsewhere, ignored, unread, further, .. } = structure;
    write!(out, "\"follows\":{follows},\"moved\":{elsewhere},\"recoded\":{recoded},\"ignored\":{ignored},")?;
    write!(out, "\"unread_bytes\":{unread},\"further\":{further}}},\"structure\":[")?;
    list(&structure.changes, out, change)?;
    if !structure.changes.is_empty() && !structure.moved.is_empty() {
        out.write_all(b",")?;
    }
    list(&structure.moved, out, moved)?;
    out.write_all(b"],\"data\":[")?;
    list(&structure.data, out, data)?;
    let [gone, new] = findings;
    out.write_all(b"],\"findings\":{\"gone\":[")?;
    list(gone, out, finding)?;
    out.write_all(b"],\"new\":[")?;
    list(new, out, finding)?;
    writeln!(out, "]}}}}")
}

fn change(change: &Change, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"kind\":\"{}\",\"key\":{}", change.kind.name(), text(&change.key))?;
    if let Some(bits) = &change.bits {
        write!(out, ",\"bits\":{}", text(bits))?;
    }
    for (side, place) in [("a", &change.a), ("b", &change.b)] {
        if let Some(Place { space, offset, length, value: it, meaning, text: words, .. }) = place {
            write!(out, ",\"{side}\":{{\"space\":{space},\"offset\":{offset},\"length\":{length},")?;
            write!(out, "\"value\":{},\"meaning\":{},\"text\":{}}}", value(it), text(meaning), text(words))?;
        }
    }
    if let Some(role) = &change.role {
        write!(out, ",\"role\":{}", text(role.name()))?;
    }
    if change.different_bytes > 0 {
        write!(out, ",\"different_bytes\":{}", change.different_bytes)?;
    }
    if change.times.0 > 1 {
        let (times, total) = change.times;
        write!(out, ",\"times\":{times},\"of\":{total},\"same\":[")?;
        list(&change.same, out, |key, out| out.write_all(text(key).as_bytes()))?;
        out.write_all(b"]")?;
    }
    out.write_all(b"}")
}

fn moved(moved: &Moved, out: &mut dyn Write) -> io::Result<()> {
    let Moved { space, from, to, fields } = moved;
    write!(out, "{{\"kind\":\"moved\",\"space\":{space},\"from\":{from},\"to\":{to},")?;
    write!(out, "\"shift\":{},\"fields\":{fields}}}", moved.shift())
}

fn data(data: &Data, out: &mut dyn Write) -> io::Result<()> {
    let Data { key, a, b, different, different_bytes, .. } = data;
    write!(out, "{{\"key\":{}", text(key))?;
    for (side, amount) in [("a", a), ("b", b)] {
        write!(out, ",\"{side}\":{{\"parts\":{},\"bytes\":{}}}", amount.parts, amount.bytes)?;
    }
    write!(out, ",\"different\":{different},\"different_bytes\":{different_bytes}}}")
}

/// Writes numbers as numbers and other values as strings. A number that does not fit in 64 bits or that JSON cannot
/// represent becomes a string or null.
fn value(value: &Value) -> String {
    match value {
        Value::None => "null".to_owned(),
        Value::Uint(number) if u64::try_from(*number).is_ok() => number.to_string(),
        Value::Int(number) if i64::try_from(*number).is_ok() => number.to_string(),
        Value::Flags(bits) => bits.to_string(),
        Value::Single(number) => {
            if number.is_finite() {
                number.to_string()
            } else {
                "null".to_owned()
            }
        }
        Value::Float(number) => {
            if number.is_finite() {
                number.to_string()
            } else {
                "null".to_owned()
            }
        }
        Value::Text(words) => text(words),
        value => text(&value.to_string()),
    }
}

/// Writes a string. Invisible characters are escaped too, so that the object cannot control a terminal.
fn text(words: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in words.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            _ if !is_unseen(letter) => quoted.push(letter),
            _ => letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| quoted += &format!("\\u{unit:04x}")),
        }
    }
    quoted + "\""
}
