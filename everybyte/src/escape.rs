//! Escapes text from files for terminals, pages and logs. This is the only place that defines which characters count as
//! invisible.

use std::fmt::{self, Write};

/// Escapes control characters, zero-width characters and characters that reorder others, for example as `\n` and `\u{202e}`.
///
/// ```
/// assert_eq!(everybyte::escape("a\u{202e}b\n\u{1b}[2J"), "a\\u{202e}b\\n\\u{1b}[2J");
/// ```
pub fn escape(text: &str) -> String {
    let mut escaped = String::new();
    text.chars().for_each(|letter| push_letter(&mut escaped, letter));
    escaped
}

/// Appends a character, or its escape if it is invisible.
pub fn push_letter(text: &mut String, letter: char) {
    write_letter(text, letter).expect("memory takes all text");
}

/// Writes a character, or its escape if it is invisible.
///
/// # Errors
/// Returns the errors of the writer.
pub fn write_letter(to: &mut impl Write, letter: char) -> fmt::Result {
    match letter {
        '\n' | '\r' | '\t' | '\0' => write!(to, "{}", letter.escape_default()),
        letter if is_unseen(letter) => write!(to, "{}", letter.escape_unicode()),
        letter => to.write_char(letter),
    }
}

/// Returns whether a character is invisible or reorders others.
pub fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{fffe}'..='\u{ffff}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}
