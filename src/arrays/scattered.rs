//! Reads elements that are far apart in a source.

use super::elements::Elements;
use crate::bytes::limits::Debit;
use crate::bytes::memory;
use crate::bytes::pages::scattered::joined;
use crate::error::{Error, Result};
use std::ops::Range;

const WHAT: &str = "the items of a selection";

/// Ranges of bytes that were read together.
pub(super) struct Scattered<'e> {
    ranges: Vec<Range<u64>>,
    /// The position of each range in `bytes`.
    starts: Vec<usize>,
    bytes: Vec<u8>,
    /// The share of the memory limit that these bytes use while they are kept.
    _debit: Debit<'e>,
}

impl<'e> Scattered<'e> {
    /// Reads the requested bytes, in any order. Bytes between them are also read where that is cheaper than another request.
    pub fn read(elements: &'e Elements<'_>, mut wanted: Vec<Range<u64>>) -> Result<Self> {
        let debit = Debit::new(elements.input.budget());
        // The requested ranges, the ranges that are read, and their positions.
        debit.take(3 * size_of_val(&wanted[..]) as u64, WHAT)?;
        wanted.sort_unstable_by_key(|range| range.start);
        let ranges = joined(&wanted);
        drop(wanted);
        let (mut starts, mut length) = (Vec::new(), 0);
        for range in &ranges {
            starts.push(length as usize);
            length += range.end - range.start;
        }
        debit.take(length, WHAT)?;
        let mut bytes = Vec::new();
        if !usize::try_from(length).is_ok_and(|length| memory::set_length(&mut bytes, length)) {
            return Err(Error::Limit { what: WHAT, needed: length, left: 0 });
        }
        elements.read_scattered(&ranges, &mut bytes)?;
        Ok(Scattered { ranges, starts, bytes, _debit: debit })
    }

    /// The requested bytes.
    pub fn bytes(&self, wanted: Range<u64>) -> &[u8] {
        let place = self.ranges.partition_point(|range| range.end < wanted.end);
        let start = self.starts[place] + (wanted.start - self.ranges[place].start) as usize;
        &self.bytes[start..start + (wanted.end - wanted.start) as usize]
    }
}
