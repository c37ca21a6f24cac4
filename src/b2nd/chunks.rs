//! Compares the stored chunks of arrays, so that equal chunks are not decoded.

use super::array::Array;
use super::geometry::Axis;
use crate::arrays::selection::{AxisSelection, Selection};
use crate::blosc2::chunk::header::Content;
use crate::blosc2::chunk::stored::StoredChunk;
use crate::blosc2::locate::{Located, locate};
use crate::error::Result;
use crate::findings::collect::Findings;
use ndbytes_schemas::blosc2::Special;
use std::ops::Range;

/// The number of bytes that are compared at once.
const PIECE: u64 = 1 << 20;

/// A stored chunk.
enum Form<'a> {
    /// Only a special value is stored.
    Special(Special),
    /// The stored bytes, and their number.
    Stored(StoredChunk<'a>, u64),
    /// The chunk cannot be compared without decoding it.
    Unknown,
}

impl<'a> Array<'a> {
    /// The number of chunks to compare: only the first few if all are the same according to the index.
    #[doc(hidden)]
    pub fn distinct_chunks(&self) -> u64 {
        self.container().frame.index.distinct().end
    }

    /// Returns whether the items of a chunk are declared as uninitialised.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io).
    #[doc(hidden)]
    pub fn is_uninitialised(&self, chunk: u64) -> Result<bool> {
        Ok(matches!(self.form(chunk)?, Form::Special(Special::UNINITIALISED)))
    }

    /// Returns whether a chunk has the same stored bytes as the chunk with the same number in another array. Returns false if a
    /// chunk cannot be read.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io).
    #[doc(hidden)]
    pub fn has_same_bytes(&self, other: &Array<'_>, chunk: u64) -> Result<bool> {
        let (a, b, length) = match (self.form(chunk)?, other.form(chunk)?) {
            (Form::Special(a), Form::Special(b)) => return Ok(a == b),
            (Form::Stored(a, length), Form::Stored(b, other)) if length == other => (a, b, length),
            _ => return Ok(false),
        };
        let budgets = [self.input().budget(), other.input().budget()];
        let (mut one, mut two) = (Vec::new(), Vec::new());
        let mut compare = || {
            for start in (0..length).step_by(PIECE as usize) {
                let end = length.min(start + PIECE);
                a.load(start..end, &mut one, budgets[0])?;
                b.load(start..end, &mut two, budgets[1])?;
                // Other bytes may follow the chunk in both files.
                let asked = (end - start) as usize;
                if one[..asked] != two[..asked] {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let same = compare();
        budgets[0].give_back(one.capacity() as u64);
        budgets[1].give_back(two.capacity() as u64);
        same
    }

    /// Reads a stored chunk, but does not check its blocks.
    fn form(&self, number: u64) -> Result<Form<'_>> {
        let (container, geometry) = (self.container(), self.geometry());
        let mut stored = match locate(&container.input, &container.frame, number)? {
            Ok(Located::Stored(stored)) => stored,
            Ok(Located::Special(kind)) => return Ok(Form::Special(kind)),
            Err(_) => return Ok(Form::Unknown),
        };
        let (frame, mut findings) = (&container.frame, Findings::default());
        let expected = frame.expected(number, geometry.demanded_blocks());
        let chunk = stored.chunk(expected, number, frame.stored_space(number), &mut findings)?;
        Ok(match chunk {
            Some(chunk) if chunk.content == Content::Uninitialised => Form::Special(Special::UNINITIALISED),
            Some(chunk) => {
                let length = chunk.cbytes;
                Form::Stored(stored, length)
            }
            None => Form::Unknown,
        })
    }

    /// The range of a chunk's items along each axis of the array.
    #[doc(hidden)]
    pub fn items_of_chunk(&self, chunk: u64) -> Vec<Range<u64>> {
        let geometry = self.geometry();
        let places = geometry.place(chunk, Axis::chunks);
        let axes = geometry.axes.iter().zip(places);
        axes.map(|(axis, place)| place * axis.chunk..((place + 1) * axis.chunk).min(axis.extent)).collect()
    }

    /// Reads the bytes of the items in a box, with the last axis varying fastest.
    ///
    /// # Errors
    /// As for [`Array::to_bytes`].
    #[doc(hidden)]
    pub fn read_box(&self, items: &[Range<u64>]) -> Result<Vec<u8>> {
        let pick = |range: &Range<u64>| AxisSelection { start: range.start, step: 1, count: range.end - range.start };
        self.collect_bytes(&Selection { picks: items.iter().map(pick).collect(), shape: Vec::new() })
    }
}
