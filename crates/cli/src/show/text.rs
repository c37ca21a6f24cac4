//! Strings as text for people: the one place where content of a file or its name becomes output.

use crate::show::style;
use std::fmt::{self, Write};
use std::path::Path;

/// The widest cell of a table, in columns, if the terminal sets no bounds.
pub const WIDEST: usize = 200;

/// The width to which the cells of a table are padded, if the terminal sets no bounds. Wider cells stick out.
pub const PADDED: usize = 60;

/// The longest text that is shown on its own, in columns.
pub const LONGEST: usize = 1000;

/// A string as it is shown: with escapes such as `\n` and `\u{202e}` for letters that are unseen or steer a terminal.
pub struct Shown<'a>(pub &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|letter| write_letter(f, letter))
    }
}

/// Returns whether a path stands for standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// A path as it is shown.
pub fn path(path: &Path) -> String {
    if is_standard(path) { "standard input".into() } else { Shown(&path.to_string_lossy()).to_string() }
}

/// A name that is shown alone: in quotes if its beginning and end would not be visible.
pub fn named(name: &str, room: usize) -> String {
    let shown = cut(name, room);
    if name.is_empty() || name.trim() != name { format!("\"{shown}\"") } else { shown }
}

/// A sentence, with numbers in groups, cut to a readable length.
pub fn readable(text: &str) -> String {
    with_groups(&cut(text, LONGEST))
}

/// The beginning of a string as it is shown, with an ellipsis in place of the rest. The time depends on the room, not on
/// the length of the string.
pub fn cut(text: &str, room: usize) -> String {
    let mut shown = String::new();
    let (mut taken, mut end) = (0, 0);
    // Marks on letters take no room of their own, but their number is limited to that of letters.
    for (place, letter) in text.chars().enumerate() {
        let start = shown.len();
        push_letter(&mut shown, letter);
        taken += width(&shown[start..]);
        if taken > room || place >= 2 * room {
            shown.truncate(end);
            shown.push('…');
            return shown;
        }
        if taken < room {
            end = shown.len();
        }
    }
    shown
}

/// Appends a letter, or its escape if it is not seen.
pub fn push_letter(text: &mut String, letter: char) {
    write_letter(text, letter).expect("memory takes all text");
}

/// Writes a letter, or its escape if it is not seen.
pub fn write_letter(to: &mut impl Write, letter: char) -> fmt::Result {
    match letter {
        '\n' | '\r' | '\t' | '\0' => write!(to, "{}", letter.escape_default()),
        letter if is_unseen(letter) => write!(to, "{}", letter.escape_unicode()),
        letter => to.write_char(letter),
    }
}

/// Letters that are not seen, or that change the order of others.
pub fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{fffe}'..='\u{ffff}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Text with the digits of its longer whole numbers in groups. Parts of a word, of a fraction, of a date or of an escape
/// stay unchanged.
fn with_groups(text: &str) -> String {
    let mut grouped_text = String::new();
    let mut before = ' ';
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let in_word = before.is_alphanumeric() || matches!(before, '.' | '_' | '{');
        let after = rest[digits..].chars().next().unwrap_or(' ');
        let is_year = matches!(rest.as_bytes()[digits..], [b'-', b'0'..=b'1', b'0'..=b'9', b'-', ..]);
        let (taken, shown) = match rest[..digits].parse::<u128>() {
            Ok(number) if digits > 3 && letter != '0' && !in_word && !is_year && !after.is_alphabetic() => {
                (digits, style::grouped(number))
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

/// The number of columns of a terminal that a text takes.
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

/// Text broken into lines of at most `width` columns, at spaces.
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
        assert_eq!(Shown("a\n\u{1b}[2J\u{202e}é\u{7f}").to_string(), "a\\n\\u{1b}[2J\\u{202e}é\\u{7f}");
        assert_eq!(["a b", "", " a"].map(|name| named(name, 10)), ["a b", "\"\"", "\" a\""]);
        assert_eq!(readable("60000 \u{2028}"), "60,000 \\u{2028}");
    }

    #[test]
    fn escapes_are_not_cut_in_two() {
        assert_eq!([cut("ab\u{202e}", 10), cut("ab\u{202e}", 9)], ["ab\\u{202e}", "ab…"]);
    }

    #[test]
    fn marks_without_width_are_cut_too() {
        assert_eq!(cut(&"\u{301}".repeat(1000), 10).chars().count(), 21);
    }
}
