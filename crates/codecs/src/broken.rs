//! Broken streams: the error, and its position.

use crate::lz::Broken;
use std::borrow::Cow;

/// The reason why a stream cannot be decoded.
#[derive(Debug)]
#[non_exhaustive]
pub struct BrokenStream {
    /// The byte of the stream at which the error was found.
    pub at: u64,
    /// The error, as text.
    pub what: Cow<'static, str>,
    /// Whether all bytes were decoded nevertheless.
    pub is_complete: bool,
    /// Whether a match has no distance. C's LZ4 would copy uninitialised memory.
    pub has_no_distance: bool,
}

impl BrokenStream {
    /// Creates the error for a stream that is broken at this byte.
    pub fn new(at: usize, what: impl Into<Cow<'static, str>>) -> Self {
        BrokenStream { at: at as u64, what: what.into(), is_complete: false, has_no_distance: false }
    }

    /// Creates the error for a stream that ends at this byte, without its last part, but with all decoded bytes.
    pub fn ends_early(at: usize, what: impl Into<Cow<'static, str>>) -> Self {
        BrokenStream { is_complete: true, ..BrokenStream::new(at, what) }
    }

    /// Creates the error for a stream that decodes to `written` bytes instead of `length`.
    pub fn of_length(at: usize, written: usize, length: usize) -> Self {
        BrokenStream::new(at, format!("it decodes to {written} of {length} bytes"))
    }

    /// Creates the error for a stream that decodes to more than `length` bytes.
    pub fn too_long(at: usize, length: usize) -> Self {
        BrokenStream::new(at, format!("it decodes to more than {length} bytes"))
    }
}

impl From<Broken> for BrokenStream {
    fn from(broken: Broken) -> Self {
        let has_no_distance = broken.what == crate::lz::What::NoDistance;
        BrokenStream { has_no_distance, ..BrokenStream::new(broken.at, broken.what.to_string()) }
    }
}
