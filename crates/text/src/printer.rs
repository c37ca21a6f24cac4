//! The tool's printer for text. Other output bypasses it.

use crate::style::{FAINT, counted};
use crate::text::{is_unseen, push_letter, width};
use std::fmt::{self, Write as _};
use std::io::{self, Write};

/// The maximum output about a file: a multiple of its length, plus a number of bytes.
const PRINTED_TIMES: u64 = 64;
const PRINTED_BESIDES: u64 = 64 << 10;

/// The room reserved for the last line, which says that the output was cut.
const LAST_WORDS: u64 = 256;

/// A stream for text with colours, which are dropped if the output does not show them. No other terminal control sequences are
/// passed on.
pub struct Printer<'a> {
    raw: &'a mut dyn Write,
    colours: bool,
    room: OutputBudget,
    /// Whether an empty line must precede the next text.
    has_gap: bool,
    /// The columns of the terminal, if there is one.
    columns: Option<usize>,
}

/// The remaining room for output.
#[derive(Clone, Copy, PartialEq)]
enum OutputBudget {
    Any,
    Bytes(u64),
    /// A text did not fit. No further text is printed.
    None,
}

impl<'a> Printer<'a> {
    /// Creates a printer to a stream, with colours or without.
    pub fn new(raw: &'a mut dyn Write, colours: bool) -> Self {
        Printer { raw, colours, room: OutputBudget::Any, has_gap: false, columns: None }
    }

    /// Sets the columns of the terminal, at which [`prose`](Printer::prose) is wrapped.
    #[must_use]
    pub fn columns(self, columns: Option<usize>) -> Self {
        Printer { columns, ..self }
    }

    /// Returns the stream itself: JSON, pages and arrays are written to it unchanged.
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
    /// Any error from the stream.
    pub fn flush(&mut self) -> io::Result<()> {
        self.raw.flush()
    }

    /// Prints formatted text, for `write!`.
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

    /// Prints a line of prose. Where a terminal would break it within a word, it is broken between words instead, and further lines
    /// are indented. A word that is longer than a line, such as a path, is not broken.
    ///
    /// # Errors
    /// Any error from the stream.
    pub fn prose(&mut self, indent: usize, line: &str) -> io::Result<()> {
        let Some(columns) = self.columns else { return writeln!(self, "{line}") };
        let line = self.passed(line);
        let (mut wrapped, mut column) = (String::new(), 0);
        for (place, word) in line.split(' ').enumerate() {
            let taken = columns_of(word);
            if taken > 0 && column > indent && column + 1 + taken > columns {
                wrapped.push('\n');
                wrapped.extend(std::iter::repeat_n(' ', indent));
                column = indent;
            } else if place > 0 {
                wrapped.push(' ');
                column += 1;
            }
            wrapped.push_str(word);
            column += taken;
        }
        wrapped.push('\n');
        self.push(&wrapped)
    }

    /// Returns the part of a text that is passed on.
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

    /// Separates the next text, if any, from the previous one with an empty line.
    pub fn separate(&mut self) {
        self.has_gap = true;
    }

    fn push(&mut self, text: &str) -> io::Result<()> {
        if std::mem::take(&mut self.has_gap) {
            self.raw.write_all(b"\n")?;
        }
        self.room = match self.room {
            OutputBudget::Any => OutputBudget::Any,
            OutputBudget::Bytes(left) => {
                left.checked_sub(text.len() as u64).map_or(OutputBudget::None, OutputBudget::Bytes)
            }
            OutputBudget::None => OutputBudget::None,
        };
        if self.room == OutputBudget::None { Ok(()) } else { self.raw.write_all(text.as_bytes()) }
    }

    /// Limits the output about a file of this length, until [`Printer::end_room`].
    pub fn begin_room(&mut self, length: u64) {
        self.room =
            OutputBudget::Bytes(length.saturating_mul(PRINTED_TIMES).saturating_add(PRINTED_BESIDES - LAST_WORDS));
    }

    /// Prints a note if there was not enough room.
    pub fn end_room(&mut self) -> io::Result<()> {
        let room = std::mem::replace(&mut self.room, OutputBudget::Any);
        if room == OutputBudget::None {
            let besides = counted(PRINTED_BESIDES, "byte");
            writeln!(
                self,
                "{FAINT:#}\n{FAINT}… the text ends here: it has reached {PRINTED_TIMES} times the file and {besides}; --json has \
                 all of it{FAINT:#}"
            )?;
        }
        Ok(())
    }

    /// Returns how many bytes may be printed.
    pub fn room(&self) -> u64 {
        match self.room {
            OutputBudget::Any => u64::MAX,
            OutputBudget::Bytes(left) => left,
            OutputBudget::None => 0,
        }
    }
}

/// Returns the length of the colour change at the beginning of a text, if there is one.
fn colour_length(text: &str) -> Option<usize> {
    let codes = text.strip_prefix("\u{1b}[")?;
    let length = codes.find(|letter: char| !letter.is_ascii_digit() && letter != ';')?;
    codes[length..].starts_with('m').then_some("\u{1b}[m".len() + length)
}

/// Returns how many columns a text takes. Colour changes take none.
fn columns_of(text: &str) -> usize {
    let mut parts = text.split("\u{1b}[");
    let plain = parts.next().map_or(0, width);
    plain + parts.filter_map(|part| part.split_once('m')).map(|(_, rest)| width(rest)).sum::<usize>()
}

/// Writes text to a printer while there is room, and keeps the stream's error.
pub struct Text<'p, 'a> {
    /// The printer.
    pub printer: &'p mut Printer<'a>,
    /// The error of the stream, if a text could not be written.
    pub error: Option<io::Error>,
}

impl fmt::Write for Text<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.error = self.printer.text(text).err();
        if self.error.is_some() || self.printer.room == OutputBudget::None { Err(fmt::Error) } else { Ok(()) }
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
    fn prose_is_wrapped_between_words() {
        let line = format!("   {ERROR}={ERROR:#} a word, {ERROR}日本{ERROR:#} and a/long/path/that/stays end");
        let on = |columns, colours| {
            let mut bytes = Vec::new();
            Printer::new(&mut bytes, colours).columns(columns).prose(5, &line).unwrap();
            String::from_utf8(bytes).unwrap()
        };
        assert_eq!(on(None, false), "   = a word, 日本 and a/long/path/that/stays end\n");
        let wrapped = "   = a word,\n     日本 and\n     a/long/path/that/stays\n     end\n";
        assert_eq!(on(Some(16), false), wrapped);
        assert_eq!(on(Some(16), true).replace(&ERROR.to_string(), "").replace("\u{1b}[0m", ""), wrapped);
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
