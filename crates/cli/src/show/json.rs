//! Machine-readable output for several subcommands, described in `docs/src/json.md`. Strings are converted to JSON only
//! here.

use crate::show::finding_text::help;
use crate::show::text::is_unseen;
use ndbytes::Finding;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Returns a finding as the tool prints it, with help that names options of the tool.
pub fn finding(finding: &Finding) -> Finding {
    let mut printed = finding.clone();
    printed.help = help(finding);
    printed
}

/// Writes one object on its own line.
pub fn line(out: &mut dyn Write, object: &impl Serialize) -> io::Result<()> {
    value(out, object)?;
    out.write_all(b"\n")
}

/// Writes one value.
pub fn value(out: &mut dyn Write, value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(out, Visible))?)
}

/// JSON without blanks, with all invisible characters escaped, especially control characters.
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

/// Writes a string from UTF-16 units in ASCII. An unpaired surrogate becomes an escape like any other unit.
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

/// Writes a UTF-16 unit as an escape.
fn write_unit(out: &mut (impl Write + ?Sized), unit: u16) -> io::Result<()> {
    write!(out, "\\u{unit:04x}")
}
