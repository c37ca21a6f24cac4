//! Colours, columns and numbers. Colours are always written; the stream drops them where nobody can see them.

use anstyle::{AnsiColor, Color, Style};

const fn colour(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(colour)))
}

pub const ERROR: Style = colour(AnsiColor::BrightRed).bold();
pub const WARNING: Style = colour(AnsiColor::Yellow).bold();
pub const OK: Style = colour(AnsiColor::Green);
pub const FAINT: Style = colour(AnsiColor::BrightBlack);
pub const HEADING: Style = Style::new().bold();

/// Colours that neighbouring fields take turns with.
const FIELDS: [Style; 6] = [
    colour(AnsiColor::Cyan),
    colour(AnsiColor::Green),
    colour(AnsiColor::Yellow),
    colour(AnsiColor::Magenta),
    colour(AnsiColor::BrightBlue),
    colour(AnsiColor::BrightCyan),
];

/// The colour of the next field: the elements of a list share one.
#[derive(Default)]
pub struct FieldColours {
    field: String,
    place: usize,
}

impl FieldColours {
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

/// A number with its digits in groups of three: `60,000`.
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Text with the digits of its longer whole numbers in groups. What is part of a word or of a fraction stays.
pub fn with_groups(text: &str) -> String {
    let mut grouped_text = String::new();
    let mut before = ' ';
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let in_word = before.is_alphanumeric() || matches!(before, '.' | '_');
        let after = rest[digits..].chars().next().unwrap_or(' ');
        let (taken, shown) = match rest[..digits].parse::<u128>() {
            Ok(number) if digits > 3 && !in_word && !after.is_alphabetic() => (digits, grouped(number)),
            _ if digits > 0 => (digits, rest[..digits].to_owned()),
            _ => (letter.len_utf8(), letter.to_string()),
        };
        before = rest[..taken].chars().next_back().unwrap_or(' ');
        grouped_text.push_str(&shown);
        rest = &rest[taken..];
    }
    grouped_text
}

/// `1 file`, `2 files`.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A shape: `60,000 × 28 × 28`.
pub fn shape(extents: &[u64]) -> String {
    match extents {
        [] => "scalar".into(),
        extents => extents.iter().map(|&extent| grouped(extent)).collect::<Vec<_>>().join(" × "),
    }
}

/// Bytes in hexadecimal: `00 ff`.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// Text for people: numbers in groups, and nothing that could steer a terminal.
pub fn readable(text: &str) -> String {
    with_groups(&harmless(text))
}

/// Text without anything that could steer a terminal.
pub fn harmless(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '\u{FFFD}' } else { letter }).collect()
}

/// The columns of the terminal; none where the output goes elsewhere.
pub fn terminal_width() -> Option<usize> {
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
}

/// Text cut to a width, with an ellipsis in place of what is lost.
pub fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// Text broken into lines of at most so many columns, at spaces.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
            continue;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines
}
