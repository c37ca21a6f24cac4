//! A file as one JSON object, with the keys of `ndbytes explain --json`, and `findings`.

use crate::map::{Space, keyed_spans, openers};
use crate::{Explained, Value};
use std::io::{self, Write};

pub fn print(explained: &Explained, path: &str, size: u64, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"path\":{},\"format\":{},\"size\":{size},\"spaces\":[", text(path), text(explained.format))?;
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
        write!(out, "\"offset\":{},\"length\":{},", node.start, node.end - node.start)?;
        write!(out, "\"type\":{},\"value\":{},", text(&node.type_name), value(&node.value))?;
        write!(out, "\"meaning\":{},\"doc\":{}", text(&node.meaning), text(node.doc))?;
        if let Some(role) = node.role {
            write!(out, ",\"role\":{}", text(role.name()))?;
            for (key, words) in [("target", role.target().map(|target| target.path.into())), ("origin", role.origin())]
            {
                if let Some(words) = words {
                    write!(out, ",\"{key}\":{}", text(&words))?;
                }
            }
        }
        if let Some(space) = node.opens {
            write!(out, ",\"opens\":{space}")?;
        }
        for (place, bits) in node.bits.iter().enumerate() {
            out.write_all(if place == 0 { b",\"bits\":[" } else { b"," })?;
            let (name, first, width, value) = (text(bits.name), bits.first, bits.width, bits.value);
            write!(out, "{{\"name\":{name},\"first\":{first},\"width\":{width},\"value\":{value}")?;
            if !bits.meaning.is_empty() {
                write!(out, ",\"meaning\":{}", text(bits.meaning))?;
            }
            out.write_all(b"}")?;
        }
        out.write_all(if node.bits.is_empty() { b"}" } else { b"]}" })?;
    }
    write!(out, "],\"findings\":[")?;
    for (place, finding) in explained.findings.iter().enumerate() {
        let comma = if place > 0 { "," } else { "" };
        write!(out, "{comma}{{\"rule\":{},\"path\":{},", text(finding.rule), text(&finding.path))?;
        let length = finding.bytes.end - finding.bytes.start;
        write!(out, "\"space\":{},\"offset\":{},\"length\":{length},", finding.space, finding.bytes.start)?;
        write!(out, "\"message\":{}}}", text(&finding.message))?;
    }
    writeln!(out, "]}}")
}

/// Numbers as numbers, other values as text. A number over 64 bits, or one that JSON does not have, is text or null.
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

/// A string. Characters that are not printable are escaped too, so that the object does not steer a terminal.
fn text(words: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in words.chars() {
        let is_shown = letter == '"' || letter == '\'' || letter == '\\' || letter.escape_debug().len() == 1;
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            _ if is_shown => quoted.push(letter),
            _ => letter.encode_utf16(&mut [0; 2]).iter().for_each(|unit| quoted += &format!("\\u{unit:04x}")),
        }
    }
    quoted + "\""
}
