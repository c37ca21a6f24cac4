//! Texts, which are UTF-16 to .NET and UTF-8 in the file, and whose ends may split a character.
//!
//! A block stores all of its texts as one UTF-8 string, and the end of each text as a number of UTF-16 units. A character outside
//! the basic plane has two units, and a text may end between them: .NET's `Substring` produces such texts. [`Texts`] stores each
//! half as three bytes, as WTF-8 does. If two halves are next to each other when a table is written, they become one character
//! again.
//!
//! ASCII is the usual case and has a fast path: each unit is a byte, so units need not be counted.

use crate::bytes::memory;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// A list of texts.
///
/// ```
/// use ndbytes::idv::Texts;
///
/// let mut texts: Texts = ["oak", "fir"].into_iter().collect();
/// texts.push("yew");
/// assert_eq!((texts.len(), texts.get(2).unwrap().to_str()), (3, Some("yew")));
/// ```
///
/// .NET measures text in UTF-16 units, and files state the ends of texts in these units. Such an end may split a character outside
/// the basic plane into two halves. The texts on both sides then contain half a character each, and neither is a valid `str`. No
/// half is lost: see [`Text`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Texts {
    /// UTF-8, in which halves of characters are encoded like characters (WTF-8).
    bytes: Vec<u8>,
    ends: Vec<u64>,
}

/// A text, which is usually valid UTF-8. If a file splits a character of two UTF-16 units, the text begins or ends with half of it.
///
/// ```
/// use ndbytes::idv::Texts;
///
/// let mut texts = Texts::default();
/// texts.push_utf16(&[0x61, 0xD83C]); // an "a", and the first half of an emoji
/// let text = texts.get(0).unwrap();
/// assert_eq!((text.to_str(), &*text.to_string_lossy()), (None, "a\u{FFFD}"));
/// assert_eq!(text.utf16().collect::<Vec<_>>(), [0x61, 0xD83C]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Text<'v> {
    bytes: &'v [u8],
}

impl Texts {
    /// The number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A text; `None` after the last one.
    pub fn get(&self, index: usize) -> Option<Text<'_>> {
        (index < self.len()).then(|| self.text(index))
    }

    /// All texts.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Text<'_>> {
        (0..self.len()).map(|index| self.text(index))
    }

    /// The bytes of all texts, and the end of each text in them. The bytes are UTF-8, in which half a character is encoded like a
    /// character (WTF-8).
    pub fn into_parts(self) -> (Vec<u8>, Vec<u64>) {
        (self.bytes, self.ends)
    }

    /// Allocates memory if the list is empty.
    pub(crate) fn make_room(&mut self, bytes: u64, texts: u64) {
        if self.ends.capacity() == 0 {
            self.bytes = memory::with_room(bytes as usize);
            self.ends = memory::with_room(texts as usize);
        }
    }

    /// The memory that the texts take, in bytes.
    #[doc(hidden)]
    pub fn memory(&self) -> u64 {
        (self.bytes.len() + size_of::<u64>() * self.ends.len()) as u64
    }

    fn text(&self, index: usize) -> Text<'_> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        Text { bytes: &self.bytes[start as usize..self.ends[index] as usize] }
    }

    /// Appends a text.
    pub fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.ends.push(self.bytes.len() as u64);
    }

    /// Appends a text from UTF-16 units, which may contain halves of characters.
    pub fn push_utf16(&mut self, units: &[u16]) {
        for unit in char::decode_utf16(units.iter().copied()) {
            match unit {
                Ok(character) => self.bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
                Err(half) => self.push_half(half.unpaired_surrogate()),
            }
        }
        self.ends.push(self.bytes.len() as u64);
    }

    /// Appends texts that end at the given bytes of an ASCII text, where a byte is a UTF-16 unit. The highest bit of an end is
    /// ignored.
    pub(crate) fn extend_ascii(&mut self, text: &[u8], ends: &[[u8; 4]]) {
        let first = self.bytes.len() as u64;
        self.bytes.extend_from_slice(text);
        self.ends.extend(ends.iter().map(|end| first + u64::from(boundary(end))));
    }

    /// Appends texts that end at the given UTF-16 units of a text. The last one ends with that text.
    pub(crate) fn extend_unicode(&mut self, text: &str, ends: &[[u8; 4]]) {
        let (mut rest, mut last, mut second_half) = (text, 0, None);
        for end in ends {
            let mut units = boundary(end) - last;
            last += units;
            if let Some(half) = second_half.take_if(|_| units > 0) {
                self.push_half(half);
                units -= 1;
            }
            let mut whole = 0;
            for character in rest.chars() {
                let width = character.len_utf16() as u32;
                if width > units {
                    break;
                }
                units -= width;
                whole += character.len_utf8();
            }
            self.bytes.extend_from_slice(&rest.as_bytes()[..whole]);
            rest = &rest[whole..];
            if units > 0 {
                // The end of the text splits a character in two.
                let mut characters = rest.chars();
                let mut halves = [0; 2];
                characters.next().unwrap_or_default().encode_utf16(&mut halves);
                self.push_half(halves[0]);
                second_half = Some(halves[1]);
                rest = characters.as_str();
            }
            self.ends.push(self.bytes.len() as u64);
        }
    }

    /// Appends half a character, encoded like a character.
    fn push_half(&mut self, unit: u16) {
        let byte = |shift: u32, mask: u16| (unit >> shift & mask) as u8;
        self.bytes.extend([0xE0 | byte(12, 0x0F), 0x80 | byte(6, 0x3F), 0x80 | byte(0, 0x3F)]);
    }

    /// Returns some of the texts.
    pub(crate) fn slice(&self, range: Range<usize>) -> Texts {
        let start = if range.start == 0 { 0 } else { self.ends[range.start - 1] };
        let end = if range.end == 0 { 0 } else { self.ends[range.end - 1] };
        Texts {
            bytes: self.bytes[start as usize..end as usize].to_vec(),
            ends: self.ends[range].iter().map(|end| end - start).collect(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    pub(crate) fn append(&mut self, more: &Texts) {
        let first = self.bytes.len() as u64;
        self.bytes.extend_from_slice(&more.bytes);
        self.ends.extend(more.ends.iter().map(|end| first + end));
    }
}

impl<T: AsRef<str>> FromIterator<T> for Texts {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Self {
        let mut all = Texts::default();
        texts.into_iter().for_each(|text| all.push(text.as_ref()));
        all
    }
}

fn boundary(end: &[u8; 4]) -> u32 {
    u32::from_le_bytes(*end) & i32::MAX as u32
}

impl<'v> Text<'v> {
    /// The empty text.
    pub const EMPTY: Text<'static> = Text { bytes: &[] };

    /// The text; `None` if it contains half a character.
    pub fn to_str(self) -> Option<&'v str> {
        std::str::from_utf8(self.bytes).ok()
    }

    /// The text, with U+FFFD in place of half a character.
    pub fn to_string_lossy(self) -> Cow<'v, str> {
        match self.to_str() {
            Some(text) => text.into(),
            None => char::decode_utf16(self.utf16()).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect(),
        }
    }

    /// The UTF-16 units of the text, as in .NET. Half a character is a lone surrogate.
    pub fn utf16(self) -> impl Iterator<Item = u16> + use<'v> {
        let mut rest = self.bytes;
        let mut second = None;
        std::iter::from_fn(move || {
            if let Some(unit) = second.take() {
                return Some(unit);
            }
            let (code, length) = decode(rest)?;
            rest = &rest[length..];
            match char::from_u32(code).filter(|character| character.len_utf16() == 2) {
                Some(character) => {
                    let mut units = [0; 2];
                    character.encode_utf16(&mut units);
                    second = Some(units[1]);
                    Some(units[0])
                }
                None => Some(code as u16),
            }
        })
    }

    /// The bytes of the text, which are UTF-8, in which half a character is encoded like a character (WTF-8).
    pub fn as_bytes(self) -> &'v [u8] {
        self.bytes
    }
}

/// Decodes the first code point. Also returns its length in bytes. The bytes are known to be WTF-8.
fn decode(bytes: &[u8]) -> Option<(u32, usize)> {
    let first = u32::from(*bytes.first()?);
    let (mut code, length) = match first {
        0..0x80 => return Some((first, 1)),
        0x80..0xE0 => (first & 0x1F, 2),
        0xE0..0xF0 => (first & 0x0F, 3),
        _ => (first & 0x07, 4),
    };
    for &byte in bytes.get(1..length)? {
        code = code << 6 | u32::from(byte & 0x3F);
    }
    Some((code, length))
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string_lossy())
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.bytes == other.as_bytes()
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.bytes == other.as_bytes()
    }
}
