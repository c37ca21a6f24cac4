//! The bytes that a structure is viewed in.
//!
//! A frame is a slice with its offset and, for structures at offsets, the enclosing space. It is `Copy`, so views need no lifetime
//! other than the lifetime of the bytes. Errors are built out of line and without a path. Each method of a view adds the name of
//! its field when it passes on an error, which costs nothing as long as nothing fails.

use crate::depth::MOST_DEPTH;
use crate::error::{ParseError, Problem};
use crate::hook::{Place, no_alternative};
use crate::reference::Layout;
use crate::source::Source;
use binrw::Endian;
use std::fmt;

/// The bytes that a structure may take, and the enclosing space.
///
/// ```
/// use everybyte::{Endian, view::Frame};
///
/// let frame = Frame::new(b"abc", Endian::Little).past(1);
/// assert_eq!((frame.start(), frame.bytes()), (1, &b"bc"[..]));
/// ```
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    /// The space; offsets are relative to its first byte.
    space: &'a [u8],
    bytes: &'a [u8],
    /// The offset of `bytes`.
    start: usize,
    /// The number of enclosing lists, options and boxes, plus one.
    depth: u32,
    endian: Endian,
    /// True if the file states where the frame ends.
    is_limited: bool,
}

impl<'a> Frame<'a> {
    /// Creates the frame of a whole space.
    #[inline]
    pub fn new(space: &'a [u8], endian: Endian) -> Self {
        Frame { space, bytes: space, start: 0, depth: 1, endian, is_limited: false }
    }

    /// The bytes.
    #[inline]
    pub fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The offset of the first byte.
    #[inline]
    pub fn start(self) -> usize {
        self.start
    }

    /// The byte order of integers.
    #[inline]
    pub fn endian(self) -> Endian {
        self.endian
    }

    /// The same frame with this byte order.
    #[inline]
    #[must_use]
    pub fn ordered(self, endian: Endian) -> Self {
        Frame { endian, ..self }
    }

    /// Returns the bytes after the first `taken` bytes; empty if there are fewer.
    #[inline]
    #[must_use]
    pub fn past(self, taken: usize) -> Self {
        Frame { bytes: self.bytes.get(taken..).unwrap_or_default(), start: self.start.saturating_add(taken), ..self }
    }

    /// Returns the first `length` bytes and the rest; `None` if there are fewer.
    #[inline]
    pub(super) fn split(self, length: usize) -> Option<(Self, Self)> {
        let (bytes, rest) = self.bytes.split_at_checked(length)?;
        let start = self.start + length;
        Some((Frame { bytes, ..self }, Frame { bytes: rest, start, ..self }))
    }

    /// Returns the first `length` bytes, or all bytes if there are fewer.
    #[inline]
    #[must_use]
    pub(super) fn cut(self, length: usize) -> Self {
        Frame { bytes: self.bytes.get(..length).unwrap_or(self.bytes), ..self }
    }

    /// The first `N` bytes.
    ///
    /// # Errors
    /// Fails if there are fewer bytes.
    #[inline]
    pub fn first<const N: usize>(self) -> Result<&'a [u8; N], Box<ParseError>> {
        self.bytes.first_chunk().ok_or_else(|| self.short(N as u64))
    }

    /// Converts the size of a fixed-size structure; `None` if there are fewer bytes.
    #[inline]
    pub fn holds(self, size: u64) -> Option<usize> {
        usize::try_from(size).ok().filter(|&size| size <= self.bytes.len())
    }

    /// Checks that there are enough bytes for a fixed-size value and returns its size.
    ///
    /// # Errors
    /// Fails if there are fewer bytes.
    #[inline]
    pub fn fixed(self, size: usize) -> Result<usize, Box<ParseError>> {
        if size <= self.bytes.len() { Ok(size) } else { Err(self.short(size as u64)) }
    }

    /// As many bytes as the file states.
    ///
    /// # Errors
    /// Fails if there are fewer bytes.
    #[inline]
    pub fn counted(self, count: u64) -> Result<&'a [u8], Box<ParseError>> {
        match self.holds(count) {
            Some(count) => Ok(&self.bytes[..count]),
            None => Err(self.too_many(count, 1)),
        }
    }

    /// The first `size` bytes as a frame, in which a structure must end.
    ///
    /// # Errors
    /// Fails if there are fewer bytes.
    pub fn within(self, size: u64) -> Result<Self, Box<ParseError>> {
        self.counted(size).map(|bytes| Frame { bytes, is_limited: true, ..self })
    }

    /// The frame at an offset of the space, for a type whose values take at least `least` bytes.
    ///
    /// # Errors
    /// Fails if the space ends before these bytes do.
    pub fn elsewhere(self, place: &Place, least: u64) -> Result<Self, Box<ParseError>> {
        let offset = place.offset().map_err(|problem| self.refused(0, problem))?;
        let length = self.space.len() as u64;
        let here = usize::try_from(offset).ok().filter(|_| offset < length || (offset == length && least == 0));
        let Some(start) = here else {
            return Err(Frame { bytes: &[], start: usize::try_from(offset).unwrap_or(usize::MAX), ..self }
                .refused(0, Problem::Outside { offset, length }));
        };
        let frame = Frame { bytes: &self.space[start..], start, is_limited: false, ..self };
        place.size().map_or(Ok(frame), |size| frame.within(size))
    }

    /// The same frame inside a list, an option, a box, or anything else that can contain nested values.
    ///
    /// # Errors
    /// Fails if the nesting is too deep.
    #[inline]
    pub fn deeper(self) -> Result<Self, Box<ParseError>> {
        match self.depth > MOST_DEPTH {
            true => Err(self.refused(0, Problem::TooDeep { most: MOST_DEPTH })),
            false => Ok(Frame { depth: self.depth + 1, ..self }),
        }
    }

    /// The same frame for a field of type `T`.
    ///
    /// # Errors
    /// Fails if the type can contain nested values and the nesting is too deep.
    #[inline]
    pub fn nested<T: Layout>(self) -> Result<Self, Box<ParseError>> {
        if const { T::NATURE.deepens } { self.deeper() } else { Ok(self) }
    }

    /// Returns a source for the readers of single values.
    pub(super) fn source(self) -> Source<'a> {
        let end = self.start.saturating_add(self.bytes.len());
        Source::new(self.space).until(end as u64).at(self.start as u64)
    }

    /// Returns whether the frame is outside any list, option, box or structure at an offset.
    pub fn is_outermost(self) -> bool {
        self.depth == 1
    }

    /// Unwraps the result of an expression in the declaration.
    ///
    /// # Errors
    /// Fails if the expression has no result.
    #[inline]
    pub fn judged<T>(self, result: Result<T, String>) -> Result<T, Box<ParseError>> {
        result.map_err(|message| self.refused(0, Problem::Invalid(message)))
    }

    /// The error for a structure with missing bytes.
    #[cold]
    #[inline(never)]
    pub fn short(self, needed: u64) -> Box<ParseError> {
        let left = self.bytes.len() as u64;
        let problem = if self.is_limited { Problem::Beyond { needed, left } } else { Problem::End { needed, left } };
        self.refused(needed, problem)
    }

    /// The error for a list with more elements than the bytes can hold.
    #[cold]
    #[inline(never)]
    pub fn too_many(self, count: u64, element: u64) -> Box<ParseError> {
        let left = self.bytes.len() as u64;
        self.refused(left, Problem::TooMany { count, element, left })
    }

    /// The error for a value that selects no alternative.
    #[cold]
    pub fn no_alternative(self, value: &dyn fmt::Debug) -> Box<ParseError> {
        self.refused(0, no_alternative(value))
    }

    /// The error for any other problem. The enclosing fields add the path.
    #[cold]
    #[inline(never)]
    pub fn refused(self, length: u64, problem: Problem) -> Box<ParseError> {
        Box::new(ParseError { path: String::new(), offset: self.start as u64, length, problem })
    }
}

impl fmt::Debug for Frame<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}", self.start)
    }
}

/// The offsets of fields; `None` for fields after a field without a fixed size.
pub const fn offsets<const N: usize>(first: u64, sizes: [Option<u64>; N]) -> [Option<usize>; N] {
    let mut offsets = [None; N];
    let (mut field, mut offset) = (0, Some(first));
    while field < N {
        let Some(at) = offset else { break };
        offsets[field] = Some(at as usize);
        offset = match sizes[field] {
            Some(size) => at.checked_add(size),
            None => None,
        };
        field += 1;
    }
    offsets
}

/// Compares the bytes at the beginning of a structure with the expected fixed bytes.
///
/// # Errors
/// Fails if the bytes differ.
#[inline]
pub fn magic<const N: usize>(frame: Frame<'_>, expected: &[u8; N]) -> Result<(), Box<ParseError>> {
    let found = frame.first::<N>().map_err(|error| field(error, "magic"))?;
    if found == expected { Ok(()) } else { Err(other_magic(frame, expected, found)) }
}

#[cold]
#[inline(never)]
fn other_magic(frame: Frame<'_>, expected: &[u8], found: &[u8]) -> Box<ParseError> {
    let problem = Problem::WrongMagic { expected: expected.to_vec(), found: found.to_vec() };
    field(frame.refused(found.len() as u64, problem), "magic")
}

/// Adds the name of a field to an error.
#[cold]
#[inline(never)]
pub fn field(mut error: Box<ParseError>, name: &str) -> Box<ParseError> {
    let dot = if error.path.is_empty() || error.path.starts_with('[') { "" } else { "." };
    error.path = format!("{name}{dot}{}", error.path);
    error
}

/// Adds the index of an element to an error.
#[cold]
#[inline(never)]
pub fn element(error: Box<ParseError>, index: usize) -> Box<ParseError> {
    field(error, &format!("[{index}]"))
}

/// Returns the error for an element of type `T`. A type without fields is a single value, as in maps.
#[cold]
#[inline(never)]
pub(super) fn element_of<T: Layout>(mut error: Box<ParseError>, at: Frame<'_>, index: usize) -> Box<ParseError> {
    if T::NATURE.is_flat {
        error.path.clear();
        error.offset = at.start as u64;
    }
    element(error, index)
}
