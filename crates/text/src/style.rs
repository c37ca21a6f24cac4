//! Colours and numbers. Colours are always written; the printer drops them if the output does not show them.

use crate::text::Shown;
use anstyle::{AnsiColor, Color, Style};

const fn colour(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(colour)))
}

/// Errors.
pub const ERROR: Style = colour(AnsiColor::BrightRed).bold();
/// Warnings.
pub const WARNING: Style = colour(AnsiColor::Yellow).bold();
/// Success.
pub const OK: Style = colour(AnsiColor::Green);
/// Less important words.
pub const FAINT: Style = colour(AnsiColor::BrightBlack);
/// Headings.
pub const HEADING: Style = Style::new().bold();

/// Colours that alternate between neighbouring fields.
const FIELDS: [Style; 6] = [
    colour(AnsiColor::Cyan),
    colour(AnsiColor::Green),
    colour(AnsiColor::Yellow),
    colour(AnsiColor::Magenta),
    colour(AnsiColor::BrightBlue),
    colour(AnsiColor::BrightCyan),
];

/// The colours of fields: all elements of a list share one.
#[derive(Default)]
pub struct FieldColours {
    field: String,
    place: usize,
}

impl FieldColours {
    /// Returns the colour of the field at a path.
    pub fn next(&mut self, path: &str) -> Style {
        let parts = path.split(['[', ']']).step_by(2);
        let field = parts.collect::<String>();
        if field != self.field {
            self.field = field;
            self.place += 1;
        }
        FIELDS[self.place % FIELDS.len()]
    }
}

pub use ndbytes::everybyte::numerals::{counted, grouped};

/// Formats a shape: `60,000 × 28 × 28`.
pub fn shape(extents: &[u64]) -> String {
    match extents {
        [] => "scalar".into(),
        extents => extents.iter().map(|&extent| grouped(extent)).collect::<Vec<_>>().join(" × "),
    }
}

/// Returns the heading of an array's picture: its name, its type and its shape.
pub fn heading(name: &str, item_type: &str, shape_of: &[usize]) -> String {
    let extents: Vec<u64> = shape_of.iter().map(|&extent| extent as u64).collect();
    format!("{name}  {}  {}", Shown(item_type), shape(&extents))
}

/// Formats a range of bits: `bit 3`, `bits 4..7`.
pub fn bit_range(first: u32, width: u32) -> String {
    match width {
        1 => format!("bit {first}"),
        width => format!("bits {first}..{}", first + width),
    }
}

/// Formats bytes in hexadecimal: `00 ff`.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}
