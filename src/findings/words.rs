//! Words that messages share.

use std::fmt;

/// The maximum number of bytes that are quoted from a string in a file.
const LONGEST_QUOTE: usize = 80;

/// A string from a file, abridged if it is long, because a name may be as long as the file.
pub fn abridged(said: impl fmt::Display) -> String {
    struct Abridged(String);
    impl fmt::Write for Abridged {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let room = LONGEST_QUOTE - self.0.len();
            if text.len() <= room {
                self.0.push_str(text);
                return Ok(());
            }
            let end = (0..=room).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
            self.0.push_str(&text[..end]);
            Err(fmt::Error)
        }
    }
    let mut room = Abridged(String::new());
    match fmt::write(&mut room, format_args!("{said}")) {
        Ok(()) => room.0,
        Err(fmt::Error) => room.0 + "…",
    }
}

/// A quoted name, abridged if it is long.
pub fn quoted(name: &str) -> String {
    abridged(format_args!("{name:?}"))
}

/// `1 byte`, `2 bytes`.
pub fn bytes(number: u64) -> String {
    counted(number, "byte")
}

/// `1 block`, `2 blocks`.
pub fn counted(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
