//! The printer of the tool: text for people, and a way past it for other output.

use crate::style::{FAINT, counted};
use crate::text::{is_unseen, push_letter};
use std::fmt::{self, Write as _};
use std::io::{self, Write};

/// The output about a file: at most this many times its length, and this many bytes more.
const PRINTED_TIMES: u64 = 64;
const PRINTED_BESIDES: u64 = 64 << 10;

/// The room that is kept for the last line, which says that the text ends.
const LAST_WORDS: u64 = 256;

/// A stream for text with colours, which are dropped if the output does not show them. No other sequence that would steer
/// a terminal gets through.
pub struct Printer<'a> {
    raw: &'a mut dyn Write,
    colours: bool,
    room: Room,
    /// True if an empty line comes before the next text.
    has_gap: bool,
}

/// The room for output.
#[derive(Clone, Copy, PartialEq)]
enum Room {
    Any,
    Bytes(u64),
    /// A text did not fit. No further text is printed.
    None,
}

impl<'a> Printer<'a> {
    /// Prints to a stream, with colours or without.
    pub fn new(raw: &'a mut dyn Write, colours: bool) -> Self {
        Printer { raw, colours, room: Room::Any, has_gap: false }
    }

    /// The stream itself: JSON, pages and arrays are written to it unchanged.
    pub fn machine(&mut self) -> &mut dyn Write {
        self.raw
    }

    /// Returns whether colours are shown.
    pub fn shows_colours(&self) -> bool {
        self.colours
    }

    /// Flushes the stream.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn flush(&mut self) -> io::Result<()> {
        self.raw.flush()
    }

    /// The method that `write!` prints with.
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> io::Result<()> {
        let mut to = Text { printer: self, error: None };
        // Without an error of the stream, there was no room for more.
        let _ = to.write_fmt(text);
        to.error.map_or(Ok(()), Err)
    }

    /// Prints text.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n'));
        if is_plain { self.push(text) } else { self.push(&self.passed(text)) }
    }

    /// The part of a text that gets through.
    fn passed(&self, text: &str) -> String {
        let mut passed = String::new();
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let length = match colour_length(rest) {
                Some(length) => {
                    passed.push_str(if self.colours { &rest[..length] } else { "" });
                    length
                }
                None if letter != '\n' && is_unseen(letter) => {
                    push_letter(&mut passed, letter);
                    letter.len_utf8()
                }
                None => {
                    passed.push(letter);
                    letter.len_utf8()
                }
            };
            rest = &rest[length..];
        }
        passed
    }

    /// Separates the next text from that before it by an empty line, if any text follows.
    pub fn separate(&mut self) {
        self.has_gap = true;
    }

    fn push(&mut self, text: &str) -> io::Result<()> {
        if std::mem::take(&mut self.has_gap) {
            self.raw.write_all(b"\n")?;
        }
        self.room = match self.room {
            Room::Any => Room::Any,
            Room::Bytes(left) => left.checked_sub(text.len() as u64).map_or(Room::None, Room::Bytes),
            Room::None => Room::None,
        };
        if self.room == Room::None { Ok(()) } else { self.raw.write_all(text.as_bytes()) }
    }

    /// Grants room for the output about a file of this length, until [`Printer::end_room`].
    pub fn begin_room(&mut self, length: u64) {
        self.room = Room::Bytes(length.saturating_mul(PRINTED_TIMES).saturating_add(PRINTED_BESIDES - LAST_WORDS));
    }

    /// Prints that there was not enough room, if so.
    pub fn end_room(&mut self) -> io::Result<()> {
        let room = std::mem::replace(&mut self.room, Room::Any);
        if room == Room::None {
            let besides = counted(PRINTED_BESIDES, "byte");
            writeln!(
                self,
                "{FAINT:#}\n{FAINT}… the text ends here: it has reached {PRINTED_TIMES} times the file and {besides}; --json has \
                 all of it{FAINT:#}"
            )?;
        }
        Ok(())
    }

    /// The number of bytes that there is room for.
    pub fn room(&self) -> u64 {
        match self.room {
            Room::Any => u64::MAX,
            Room::Bytes(left) => left,
            Room::None => 0,
        }
    }
}

/// The length of the change of colour that a text begins with, if it begins with one.
fn colour_length(text: &str) -> Option<usize> {
    let codes = text.strip_prefix("\u{1b}[")?;
    let length = codes.find(|letter: char| !letter.is_ascii_digit() && letter != ';')?;
    codes[length..].starts_with('m').then_some("\u{1b}[m".len() + length)
}

/// Lets text be written to a printer, as long as there is room, and keeps the stream's error.
pub struct Text<'p, 'a> {
    /// The printer.
    pub printer: &'p mut Printer<'a>,
    /// The error of the stream, after a text that could not be written.
    pub error: Option<io::Error>,
}

impl fmt::Write for Text<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.error = self.printer.text(text).err();
        if self.error.is_some() || self.printer.room == Room::None { Err(fmt::Error) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::ERROR;

    fn printed(colours: bool, print: impl FnOnce(&mut Printer<'_>) -> io::Result<()>) -> String {
        let mut bytes = Vec::new();
        print(&mut Printer::new(&mut bytes, colours)).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn only_colours_get_through() {
        let hostile = "\u{1b}[2J\u{1b}]0;x\u{7}\u{9b}2J\u{7f}\u{202e}\r\n";
        let shown = "\\u{1b}[2J\\u{1b}]0;x\\u{7}\\u{9b}2J\\u{7f}\\u{202e}\\r\n";
        assert_eq!(printed(false, |out| write!(out, "{ERROR}{hostile}{ERROR:#}")), shown);
        assert_eq!(printed(true, |out| write!(out, "{ERROR}{hostile}{ERROR:#}")), format!("{ERROR}{shown}{ERROR:#}"));
    }

    #[test]
    fn room_is_kept() {
        let all = "x".repeat(1 << 20);
        let text = printed(false, |out| {
            out.begin_room(100);
            writeln!(out, "begins")?;
            writeln!(out, "{all}")?;
            assert_eq!(out.room(), 0);
            writeln!(out, "nothing")?;
            out.end_room()?;
            writeln!(out, "the next file")
        });
        assert!(text.starts_with("begins\n\n… the text ends here: ") && text.ends_with("\nthe next file\n"), "{text}");
    }
}
