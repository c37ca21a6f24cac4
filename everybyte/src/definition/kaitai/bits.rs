//! Integers with named bits.

use super::yaml::{doc, id, quoted};
use crate::definition::subject::snake_case;
use crate::reference::Bits;
use binrw::Endian;
use std::fmt::Write;

/// The line for the bit order, if bits are read in sequence. In integers longer than a byte, the byte order determines
/// the positions of the bits.
pub fn order(runs: &[Bits], endian: Option<Endian>) -> &'static str {
    match width(runs) {
        8 => "  bit-endian: le\n",
        _ if endian == Some(Endian::Little) => "  bit-endian: le\n",
        24 | 48 => "  bit-endian: be\n",
        _ => "",
    }
}

/// Returns the number of bits in all runs.
fn width(runs: &[Bits]) -> u32 {
    runs.iter().map(|run| run.width).sum()
}

/// The bit fields of an integer.
pub fn members(runs: &[Bits], endian: Option<Endian>) -> String {
    let width = width(runs);
    let mut text = String::new();
    if width == 8 || endian == Some(Endian::Little) {
        writeln!(text, "seq:").unwrap();
        for run in runs {
            let code = if run.type_name.is_empty() {
                String::new()
            } else {
                format!("    enum: {}\n", snake_case(&run.type_name))
            };
            write!(text, "  - id: {}\n    type: b{}\n{code}{}", id(&run.name), run.width, doc(&run.doc, "    "))
                .unwrap();
        }
        return text;
    }
    // There are no integers of three or six bytes, but there are bit fields of that size.
    let ty = match width {
        24 | 48 => format!("b{width}"),
        _ => format!("u{}", width / 8),
    };
    writeln!(text, "seq:\n  - id: raw\n    type: {ty}\ninstances:").unwrap();
    for run in runs {
        // Shifts would be limited to 32 bits in some languages.
        let below = 1_u128 << run.first;
        let value = match run.width {
            1 => format!("(raw / {below}) % 2 != 0"),
            _ if run.first + run.width == width => format!("raw / {below}"),
            width => format!("(raw / {below}) % {}", 1_u128 << width),
        };
        let code = if run.type_name.is_empty() || run.width == 1 {
            String::new()
        } else {
            format!("    enum: {}\n", snake_case(&run.type_name))
        };
        let words = doc(&run.doc, "    ");
        write!(text, "  {}:\n    value: {}\n{code}{words}", id(&run.name), quoted(&value)).unwrap();
    }
    text
}
