//! The inputs of the targets for single codecs.

use std::ops::Range;

/// The maximum number of bytes that a stream decodes to.
const MOST: usize = 1 << 17;

/// A stream among other bytes, and its parameters, which the first bytes of the input determine:
///
/// | byte | |
/// |---|---|
/// | 0, 1, 2 | the decoded length |
/// | 3 | the fraction of it to request, in 255ths |
/// | 4 | bytes after the stream, and the level to encode with |
/// | 5 | bytes of the dictionary |
///
/// The dictionary, the stream, and the bytes after the stream follow.
#[derive(Debug)]
pub struct Input<'a> {
    pub length: usize,
    pub needed: usize,
    pub dictionary: &'a [u8],
    pub level: u8,
    /// The dictionary, the stream, and the bytes after it.
    pub around: &'a [u8],
    /// The stream.
    pub place: Range<usize>,
}

impl Input<'_> {
    pub fn stream(&self) -> Range<usize> {
        self.place.clone()
    }
}

/// Parses an input; `None` if it is too short.
pub fn input(bytes: &[u8]) -> Option<Input<'_>> {
    let (&[low, middle, high, part, behind, dictionary], around) = bytes.split_first_chunk()?;
    let length = u32::from_le_bytes([low, middle, high, 0]) as usize % (MOST + 1);
    let needed = length * usize::from(part) / 255;
    let dictionary = around.get(..dictionary.into())?;
    let end = around.len().saturating_sub(behind.into()).max(dictionary.len());
    let place = dictionary.len()..end;
    Some(Input { length, needed, dictionary, level: behind % 9 + 1, around, place })
}
