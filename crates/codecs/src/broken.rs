//! Broken streams: the flaw, and its place.

use crate::lz::Broken;
use std::borrow::Cow;

/// The reason why a stream does not decode.
#[derive(Debug)]
#[non_exhaustive]
pub struct BrokenStream {
    /// The byte of the stream where the flaw was found.
    pub at: u64,
    /// The flaw, in words.
    pub what: Cow<'static, str>,
    /// True if all bytes are there nevertheless.
    pub is_complete: bool,
    /// True if a match has no distance. C's LZ4 copies uninitialised memory then.
    pub has_no_distance: bool,
}

impl BrokenStream {
    /// A stream that is broken at this byte.
    pub fn new(at: usize, what: impl Into<Cow<'static, str>>) -> Self {
        BrokenStream { at: at as u64, what: what.into(), is_complete: false, has_no_distance: false }
    }

    /// A stream that ends at this byte, before the last one, with all its bytes.
    pub fn ends_early(at: usize, what: impl Into<Cow<'static, str>>) -> Self {
        BrokenStream { is_complete: true, ..BrokenStream::new(at, what) }
    }

    /// A stream that decodes to `written` of `length` bytes.
    pub fn of_length(at: usize, written: usize, length: usize) -> Self {
        BrokenStream::new(at, format!("it decodes to {written} of {length} bytes"))
    }

    /// A stream that decodes to more than `length` bytes.
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
