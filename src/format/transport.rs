//! Damage in transport: what programs that take bytes for text do to them. The bytes alone tell it.

use super::{is_gzip, is_zip, of_magic};

/// A change that a program made to all bytes of a file.
pub(crate) struct Damage {
    /// The signs, and the cause.
    pub cause: &'static str,
    /// The change that undoes it, in words.
    pub done: &'static str,
    /// The bytes as they were; `None` if these are not the bytes that such a program leaves.
    pub undo: fn(&[u8]) -> Option<Vec<u8>>,
}

/// The kinds of damage that can be undone. Whether one was there, only the file that results can prove.
pub(crate) static DAMAGES: &[Damage] = &[
    Damage { cause: LINE_ENDS, done: "each 0d 0a is 0a again, as before line ends were translated", undo: line_ends },
    Damage {
        cause: LATIN,
        done: "each character of Latin-1 is one byte again, as before it was saved as text",
        undo: latin,
    },
    Damage {
        cause: LATIN,
        done: "each 0d 0a is 0a and each character of Latin-1 is one byte again, as before it was saved as text",
        undo: |bytes| latin(&line_ends(bytes)?),
    },
    Damage { cause: MARK, done: "the byte order mark before the content is cut", undo: after_mark },
    Damage { cause: BASE64, done: "the base64 around the content is decoded", undo: base64 },
];

const LINE_ENDS: &str =
    "every byte 0a stands after a 0d: it looks as if line ends were translated on the way, LF to CRLF";
const LATIN: &str = "the bytes are UTF-8, of letters of Latin-1: it looks as if the file was saved as text, each byte from 80 on as two";
const LOSSY: &str = "the bytes are UTF-8, with marks of what was no letter (U+FFFD): it looks as if the file was saved as text, which is lossy";
const TEXT: &str = "the bytes are UTF-8: it looks as if the file was saved as text";
const MARK: &str = "a byte order mark stands before the content: it was saved as text";
const BASE64: &str = "the content is base64: decode it";
const LOST: &str = "no byte 0a stands after a 0d, and no more bytes are missing than there are 0a: line ends may have been \
                    translated on the way, CRLF to LF, which loses bytes in the middle";

/// The mark of what was no letter.
const REPLACEMENT: char = '\u{FFFD}';
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The signs of damage in bytes that come piece by piece.
#[derive(Debug, Default)]
pub(crate) struct Signs {
    last: Option<u8>,
    /// The number of line feeds after a carriage return.
    pairs: u64,
    /// The number of other line feeds.
    bare: u64,
    /// The beginning of a letter whose other bytes are in the next piece.
    begun: Vec<u8>,
    is_no_text: bool,
    has_letters: bool,
    has_marks: bool,
    /// True if a letter is none of Latin-1.
    has_others: bool,
}

impl Signs {
    /// The signs in all bytes of a file.
    pub fn of(bytes: &[u8]) -> Self {
        let mut signs = Signs::default();
        signs.see(bytes);
        signs
    }

    /// Looks at the next piece.
    pub fn see(&mut self, piece: &[u8]) {
        for &byte in piece {
            if byte == b'\n' {
                *(if self.last == Some(b'\r') { &mut self.pairs } else { &mut self.bare }) += 1;
            }
            self.last = Some(byte);
        }
        if !self.is_no_text {
            self.see_text(piece);
        }
    }

    fn see_text(&mut self, piece: &[u8]) {
        let mut bytes = std::mem::take(&mut self.begun);
        bytes.extend_from_slice(piece);
        let text = match str::from_utf8(&bytes) {
            Ok(text) => text,
            Err(error) if error.error_len().is_none() => {
                let (text, begun) = bytes.split_at(error.valid_up_to());
                self.begun = begun.to_vec();
                str::from_utf8(text).unwrap_or_default()
            }
            Err(_) => {
                self.is_no_text = true;
                return;
            }
        };
        for letter in text.chars().filter(|letter| !letter.is_ascii()) {
            self.has_letters = true;
            self.has_marks |= letter == REPLACEMENT;
            self.has_others |= u8::try_from(letter).is_err();
        }
    }

    /// Returns whether further bytes may still tell a cause.
    pub fn are_possible(&self) -> bool {
        !self.is_no_text || self.bare == 0
    }

    /// The cause that the signs tell. ASCII alone is no sign of text, but bytes from 80 on that are UTF-8 by chance are rare.
    pub fn cause(&self) -> Option<&'static str> {
        match self {
            Signs { is_no_text: false, has_letters: true, has_marks: true, .. } => Some(LOSSY),
            Signs { is_no_text: false, has_letters: true, has_others: true, .. } => Some(TEXT),
            Signs { is_no_text: false, has_letters: true, .. } => Some(LATIN),
            _ => self.cause_in_lines(),
        }
    }

    /// The cause that the line ends tell.
    pub fn cause_in_lines(&self) -> Option<&'static str> {
        (self.pairs > 0 && self.bare == 0).then_some(LINE_ENDS)
    }
}

/// Returns whether a file that begins so may have been damaged.
pub(crate) fn is_possible(head: &[u8]) -> bool {
    head.starts_with(BYTE_ORDER_MARK) || Signs::of(head).are_possible()
}

/// The cause that the signs in all bytes of a file tell.
pub(crate) fn cause(bytes: &[u8]) -> Option<&'static str> {
    Signs::of(bytes).cause()
}

/// Returns why bytes may be missing in the middle of a payload instead of at its end.
pub(crate) fn lost_within(payload: &[u8], missing: u64) -> Option<&'static str> {
    let Signs { pairs, bare, .. } = Signs::of(payload);
    (pairs == 0 && (1..=bare).contains(&missing)).then_some(LOST)
}

/// The cause for which a file is of no known format, told by its first bytes: without the damage, they have a signature.
pub(crate) fn cause_at_beginning(head: &[u8]) -> Option<&'static str> {
    let is_known = |bytes: &[u8]| is_gzip(bytes) || is_zip(bytes) || of_magic(bytes).is_some();
    let undone = DAMAGES.iter().find(|damage| (damage.undo)(head).is_some_and(|bytes| is_known(&bytes)));
    undone.map(|damage| damage.cause).or_else(|| unmarked(head).filter(|bytes| is_known(bytes)).map(|_| LOSSY))
}

fn line_ends(bytes: &[u8]) -> Option<Vec<u8>> {
    let Signs { pairs, bare, .. } = Signs::of(bytes);
    if pairs == 0 || bare > 0 {
        return None;
    }
    let is_added = |at: usize| bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n');
    Some((0..bytes.len()).filter(|at| !is_added(*at)).map(|at| bytes[at]).collect())
}

fn latin(bytes: &[u8]) -> Option<Vec<u8>> {
    let text = text_of(bytes).filter(|text| !text.is_ascii())?;
    text.chars().map(|letter| u8::try_from(letter).ok()).collect()
}

/// Bytes in which one byte stands for each mark of what was no letter.
fn unmarked(bytes: &[u8]) -> Option<Vec<u8>> {
    let text = text_of(bytes).filter(|text| text.contains(REPLACEMENT))?;
    Some(text.chars().map(|letter| u8::try_from(letter).unwrap_or(u8::MAX)).collect())
}

/// Text, whose last letter may be cut.
fn text_of(bytes: &[u8]) -> Option<&str> {
    match str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_none() => str::from_utf8(&bytes[..error.valid_up_to()]).ok(),
        Err(_) => None,
    }
}

fn after_mark(bytes: &[u8]) -> Option<Vec<u8>> {
    bytes.strip_prefix(BYTE_ORDER_MARK).map(<[u8]>::to_vec)
}

/// The bytes that base64 stands for, in lines of any length. What is no whole group at the end is left out.
fn base64(bytes: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    };
    let text = bytes.trim_ascii_end();
    let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
    let (mut decoded, mut group, mut bits) = (Vec::new(), 0_u32, 0);
    for &byte in &text[..text.len() - padding.min(2)] {
        if byte.is_ascii_whitespace() {
            continue;
        }
        group = group << 6 | u32::from(digit(byte)?);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            decoded.push((group >> bits) as u8);
            group &= (1 << bits) - 1;
        }
    }
    (!decoded.is_empty()).then_some(decoded)
}
