//! The machine-readable output that several subcommands share: the one place where a string becomes JSON.
//! `docs/src/json.md` describes it.

use crate::show::finding_text::help;
use crate::show::text::is_unseen;
use ndbytes::Finding;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// A finding as the tool prints it: its help is in the words of the tool.
pub fn finding(finding: &Finding) -> Finding {
    let mut printed = finding.clone();
    printed.help = help(finding);
    printed
}

/// Writes one object on a line of its own.
pub fn line(out: &mut dyn Write, object: &impl Serialize) -> io::Result<()> {
    value(out, object)?;
    out.write_all(b"\n")
}

/// Writes one value.
pub fn value(out: &mut dyn Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(out, Visible))?)
}

/// JSON without blanks, in which all unseen characters are escapes, control characters above all.
struct Visible;

impl Formatter for Visible {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut start = 0;
        for (place, unseen) in fragment.match_indices(is_unseen) {
            out.write_all(&fragment.as_bytes()[start..place])?;
            unseen.encode_utf16().try_for_each(|unit| write_unit(out, unit))?;
            start = place + unseen.len();
        }
        out.write_all(&fragment.as_bytes()[start..])
    }
}

/// Writes a string from UTF-16 units, all in ASCII; half a character is an escape like all others.
pub fn utf16(out: &mut dyn Write, units: impl Iterator<Item = u16>) -> io::Result<()> {
    out.write_all(b"\"")?;
    for unit in units {
        match u8::try_from(unit) {
            Ok(byte @ (b'"' | b'\\')) => out.write_all(&[b'\\', byte])?,
            Ok(byte @ b' '..=b'~') => out.write_all(&[byte])?,
            _ => write_unit(out, unit)?,
        }
    }
    out.write_all(b"\"")
}

fn write_unit(out: &mut (impl Write + ?Sized), unit: u16) -> io::Result<()> {
    write!(out, "\\u{unit:04x}")
}
