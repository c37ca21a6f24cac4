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
            Ok(number) if digits > 3 && letter != '0' && !in_word && !after.is_alphabetic() => {
                (digits, grouped(number))
            }
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

/// Letters that are not seen, or that change the order of others.
pub fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{fffe}'..='\u{ffff}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Text with escapes for what is not seen: `a\nb`.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    text.chars().for_each(|letter| push_escaped(&mut escaped, letter));
    escaped
}

/// A name that stands alone: in quotes if one would not see where it begins and ends.
pub fn named(name: &str) -> String {
    let shown = escaped(name);
    if name.is_empty() || name.trim() != name { format!("\"{shown}\"") } else { shown }
}

/// Appends a letter, or its escape if it is not seen.
pub fn push_escaped(text: &mut String, letter: char) {
    match letter {
        '\n' | '\r' | '\t' | '\0' => text.extend(letter.escape_default()),
        letter if is_unseen(letter) => text.extend(letter.escape_unicode()),
        letter => text.push(letter),
    }
}

/// The columns of the terminal; none where the output goes elsewhere.
pub fn terminal_width() -> Option<usize> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0))
}

/// How many columns of a terminal text takes.
pub fn width(text: &str) -> usize {
    text.chars().map(letter_width).sum()
}

/// East Asian letters and pictures take two columns, marks on other letters none.
fn letter_width(letter: char) -> usize {
    match letter {
        '\0'..'\u{300}' => 1,
        '\u{300}'..='\u{36f}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f680}'..='\u{1f6ff}'
        | '\u{1f900}'..='\u{1f9ff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}

/// Text cut to a width, with an ellipsis in place of what is lost.
pub fn cut(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut left = room.saturating_sub(1);
    let fits = |letter: &char| {
        let width = letter_width(*letter);
        let fits = width <= left;
        left = left.saturating_sub(width);
        fits
    };
    text.chars().take_while(fits).chain(['…']).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!([width("abc"), width("日本語"), width("e\u{301}"), width("😀")], [3, 6, 1, 2]);
        assert_eq!(
            [cut("日本語", 6), cut("日本語", 5), cut("日本語", 4), cut("abc", 0)],
            ["日本語", "日本…", "日…", "…"]
        );
    }

    #[test]
    fn what_is_not_seen_is_escaped() {
        assert_eq!(escaped("a\n\u{1b}[2J\u{202e}é"), "a\\n\\u{1b}[2J\\u{202e}é");
        assert_eq!([named("a b"), named(""), named(" a")], ["a b", "\"\"", "\" a\""]);
    }
}
