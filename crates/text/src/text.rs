//! Strings as text for people: the only place where the content or name of a file becomes output.

use ndbytes::archive::file_of;
pub use ndbytes::everybyte::escape::{is_unseen, push_letter, write_letter};
use ndbytes::everybyte::numerals;
use ndbytes::internals::without_query;
use std::fmt;
use std::path::Path;

/// The maximum width of a table cell, in columns, if the terminal sets no limit.
pub const WIDEST: usize = 200;

/// The width to which table cells are padded, if the terminal sets no limit. Wider cells stick out.
pub const PADDED: usize = 60;

/// The maximum width of a text that is shown on its own, in columns.
pub const LONGEST: usize = 1000;

/// A displayed string, with escapes such as `\n` and `\u{202e}` for characters that are invisible or control a
/// terminal.
pub struct Shown<'a>(pub &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|letter| write_letter(f, letter))
    }
}

/// Returns whether a path means standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns a path for display. The query of a URL is omitted.
pub fn path(path: &Path) -> String {
    if is_standard(path) { "standard input".into() } else { Shown(&without_query(path)).to_string() }
}

/// Returns a path for a shell: in single quotes if it contains special characters. In the address of an archive entry, `\` becomes
/// `/`, which means the same there.
pub fn address(path: &Path) -> String {
    if is_standard(path) {
        return "-".into();
    }
    let text = path.to_string_lossy();
    let text = match file_of(path) {
        Some(file) => {
            let (file, entry) = text.split_at(file.to_string_lossy().len().min(text.len()));
            format!("{file}{}", entry.replace('\\', "/"))
        }
        None => text.into_owned(),
    };
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+,:=@%\\".contains(letter);
    let shown = Shown(&text).to_string();
    if !text.is_empty() && text.chars().all(is_plain) && (cfg!(windows) || !text.contains('\\')) {
        return shown;
    }
    format!("'{}'", shown.replace('\'', "'\\''"))
}

/// Returns a name to be displayed alone: in quotes if its beginning or end would not be visible.
pub fn named(name: &str, room: usize) -> String {
    let shown = cut(name, room);
    if name.is_empty() || name.trim() != name { format!("\"{shown}\"") } else { shown }
}

/// Returns a sentence with grouped digits, cut to a readable length.
pub fn readable(text: &str) -> String {
    numerals::with_groups(&cut(text, LONGEST))
}

/// Returns the beginning of a displayed string, with an ellipsis in place of the rest. The time depends on the room, not on the length of
/// the string.
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

/// Returns the number of terminal columns that a text takes.
pub fn width(text: &str) -> usize {
    text.chars().map(letter_width).sum()
}

/// Returns the width of a character: two columns for East Asian characters and pictures, none for combining marks.
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

/// Breaks text into lines of at most `width` columns, at spaces.
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
    fn addresses_are_quoted_where_a_shell_would_change_them() {
        let told =
            ["a/b.idx", "a b", "x[1].idx", "it's", "a!b", "", "日本.ra", "-"].map(|path| address(Path::new(path)));
        assert_eq!(told, ["a/b.idx", "'a b'", "'x[1].idx'", "'it'\\''s'", "'a!b'", "''", "日本.ra", "-"]);
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
