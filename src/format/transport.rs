//! Damage caused by programs that treat bytes as text, as revealed by the bytes alone.
//!
//! FTP in text mode, git without `.gitattributes`, editors and mail programs change all bytes of a file in the same way: for
//! example, each 0a becomes 0d 0a, or each byte from 80 on becomes two. A check then finds many unrelated errors. [`Signs`]
//! recognises such a change in a single pass over the bytes. [`DAMAGES`] lists the changes that can be undone. A repair is accepted
//! only if the restored file is valid, because signs can be accidental.

use super::{is_gzip, is_zip, of_magic};

/// A change that a program made to all bytes of a file.
pub(crate) struct Damage {
    /// A description of the cause.
    pub cause: &'static str,
    /// A description of the change that reverts it.
    pub done: &'static str,
    /// Restores the original bytes; `None` if such a program would not have left these bytes.
    pub undo: fn(&[u8]) -> Option<Vec<u8>>,
}

/// The kinds of damage that can be undone. Only the restored file can prove that it was damaged in that way.
pub(crate) static DAMAGES: &[Damage] = &[
    Damage { cause: LINE_ENDS, done: "every 0d 0a becomes 0a again", undo: line_ends },
    Damage { cause: LATIN, done: "every Latin-1 character becomes one byte again", undo: latin },
    Damage {
        cause: LATIN,
        done: "each 0d 0a is 0a and every Latin-1 character becomes one byte again",
        undo: |bytes| latin(&line_ends(bytes)?),
    },
    Damage { cause: MARK, done: "the byte order mark is removed", undo: after_mark },
    Damage { cause: BASE64, done: "the base64 encoding is decoded", undo: base64 },
    Damage { cause: QUOTED, done: "the quoted-printable encoding is decoded", undo: quoted_printable },
    Damage { cause: HTTP, done: "the HTTP header is removed", undo: after_http },
    Damage { cause: END, done: "the byte 1a after the end is removed", undo: before_end },
    Damage {
        cause: END,
        done: "every 0d 0a becomes 0a again, and the byte 1a after the end is removed",
        undo: |bytes| line_ends(&before_end(bytes)?),
    },
];

const LINE_ENDS: &str = "every byte 0a follows a 0d: line ends seem to have been converted from LF to CRLF";
const LATIN: &str = "the bytes are UTF-8 of Latin-1 characters: the file seems to have been saved as text, with two bytes for each byte from 80 on";
const LOSSY: &str = "the bytes are UTF-8 with replacement characters (U+FFFD): the file seems to have been saved as text, which is lossy";
const TEXT: &str = "the bytes are UTF-8: the file seems to have been saved as text";
const MARK: &str = "the file begins with a byte order mark: it was saved as text";
const BASE64: &str = "the content is base64: decode it";
const QUOTED: &str = "the content is quoted-printable, as in an e-mail: decode it";
const HTTP: &str = "an HTTP header precedes the content: the answer of a server was saved with it";
const END: &str = "a byte 1a (^Z) follows the end, as programs of DOS and Windows put it after text";
const STOPPED: &str =
    "every byte but 1a occurs: a program that took the file for text may have stopped at its first 1a (^Z)";
const LOST: &str = "no byte 0a stands after a 0d, and no more bytes are missing than there are 0a: line ends may have been \
                    translated on the way, CRLF to LF, which loses bytes in the middle";

/// The replacement character.
const REPLACEMENT: char = '\u{FFFD}';
/// The maximum length of an HTTP header that is recognised.
const LONGEST_HEADER: usize = 64 << 10;
const END_OF_TEXT: u8 = 0x1A;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The signs of damage in bytes that arrive in pieces.
#[derive(Debug)]
pub(crate) struct Signs {
    last: Option<u8>,
    /// States which bytes occur.
    seen: [bool; 256],
    /// The number of line feeds after a carriage return.
    pairs: u64,
    /// The number of other line feeds.
    bare: u64,
    /// The beginning of a character whose other bytes are in the next piece.
    begun: Vec<u8>,
    is_no_text: bool,
    has_letters: bool,
    has_marks: bool,
    /// True if a character is outside Latin-1.
    has_others: bool,
}

impl Default for Signs {
    fn default() -> Self {
        Signs {
            last: None,
            seen: [false; 256],
            pairs: 0,
            bare: 0,
            begun: Vec::new(),
            is_no_text: false,
            has_letters: false,
            has_marks: false,
            has_others: false,
        }
    }
}

impl Signs {
    /// The signs in all bytes of a file.
    pub fn of(bytes: &[u8]) -> Self {
        let mut signs = Signs::default();
        signs.see(bytes);
        signs
    }

    /// Processes the next piece.
    pub fn see(&mut self, piece: &[u8]) {
        for &byte in piece {
            if byte == b'\n' {
                *(if self.last == Some(b'\r') { &mut self.pairs } else { &mut self.bare }) += 1;
            }
            self.last = Some(byte);
            self.seen[usize::from(byte)] = true;
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

    /// Returns whether further bytes may still reveal a cause.
    pub fn are_possible(&self) -> bool {
        !self.is_no_text || self.bare == 0 || !self.seen[usize::from(END_OF_TEXT)]
    }

    /// The cause that the signs suggest. ASCII alone suggests none, but bytes from 0x80 on are rarely valid UTF-8 by chance.
    pub fn cause(&self) -> Option<&'static str> {
        match self {
            Signs { is_no_text: false, has_letters: true, has_marks: true, .. } => Some(LOSSY),
            Signs { is_no_text: false, has_letters: true, has_others: true, .. } => Some(TEXT),
            Signs { is_no_text: false, has_letters: true, .. } => Some(LATIN),
            _ => self.cause_in_lines().or_else(|| self.stopped()),
        }
    }

    /// The cause of a missing end, if all byte values occur except for the one at which such a program stops.
    fn stopped(&self) -> Option<&'static str> {
        let is_missing = |(byte, &is_seen): (usize, &bool)| is_seen != (byte == usize::from(END_OF_TEXT));
        self.seen.iter().enumerate().all(is_missing).then_some(STOPPED)
    }

    /// The cause that the line endings reveal.
    pub fn cause_in_lines(&self) -> Option<&'static str> {
        (self.pairs > 0 && self.bare == 0).then_some(LINE_ENDS)
    }
}

/// Returns whether a file that begins like this may have been damaged.
pub(crate) fn is_possible(head: &[u8]) -> bool {
    head.starts_with(BYTE_ORDER_MARK) || Signs::of(head).are_possible()
}

/// Returns the cause that the signs in all bytes of a file imply.
pub(crate) fn cause(bytes: &[u8]) -> Option<&'static str> {
    Signs::of(bytes).cause()
}

/// Returns the reason why bytes may be missing in the middle of a payload instead of at its end.
pub(crate) fn lost_within(payload: &[u8], missing: u64) -> Option<&'static str> {
    let Signs { pairs, bare, .. } = Signs::of(payload);
    (pairs == 0 && (1..=bare).contains(&missing)).then_some(LOST)
}

/// Returns the cause of damage that hides the format of a file: if it is undone, the first bytes have a signature.
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

/// Replaces each replacement character with a single byte.
fn unmarked(bytes: &[u8]) -> Option<Vec<u8>> {
    let text = text_of(bytes).filter(|text| text.contains(REPLACEMENT))?;
    Some(text.chars().map(|letter| u8::try_from(letter).unwrap_or(u8::MAX)).collect())
}

/// Decodes text, whose last character may be cut off.
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

/// Decodes base64, in lines of any length. An incomplete group at the end is dropped.
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

/// Decodes quoted-printable. An incomplete escape at the end is left out.
fn quoted_printable(bytes: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).filter(|_| !byte.is_ascii_lowercase());
    let (mut decoded, mut rest, mut has_escapes) = (Vec::new(), bytes, false);
    loop {
        rest = match rest {
            [b'=', b'\r', b'\n', rest @ ..] | [b'=', b'\n', rest @ ..] => rest,
            [b'=', high, low, rest @ ..] => {
                decoded.push((digit(*high)? << 4 | digit(*low)?) as u8);
                has_escapes = true;
                rest
            }
            [] | [b'='] | [b'=', _] => return has_escapes.then_some(decoded),
            [byte @ (b'\t' | b'\r' | b'\n' | b' '..=b'~'), rest @ ..] => {
                decoded.push(*byte);
                rest
            }
            _ => return None,
        }
    }
}

/// Returns the bytes after the empty line that ends an HTTP header.
fn after_http(bytes: &[u8]) -> Option<Vec<u8>> {
    let header = bytes.strip_prefix(b"HTTP/").map(|header| &header[..header.len().min(LONGEST_HEADER)])?;
    let end = header.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some(bytes[b"HTTP/".len() + end + 4..].to_vec())
}

fn before_end(bytes: &[u8]) -> Option<Vec<u8>> {
    bytes.strip_suffix(&[END_OF_TEXT]).map(<[u8]>::to_vec)
}
