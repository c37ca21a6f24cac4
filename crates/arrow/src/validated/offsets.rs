//! Offsets of items with different lengths, and the positions that errors name.

use crate::error::Trouble;
use arrow_array::OffsetSizeTrait;
use std::ops::Range;

/// Names a part of an array at a position in a column: `its items`, `the items of its dictionary`.
pub(super) fn part(of: &str, name: &str) -> String {
    match of {
        "" => format!("its {name}"),
        of => format!("the {name} of {of}"),
    }
}

/// Refuses offsets that decrease, or exceed the length of the data that they divide. Returns the range that they span.
pub(super) fn ensure_offsets<O: OffsetSizeTrait>(
    offsets: &[O],
    length: usize,
    of: &str,
) -> Result<Range<usize>, Trouble> {
    let (Some(&first), Some(&last)) = (offsets.first(), offsets.last()) else { return Ok(0..0) };
    if let Some(place) = (1..offsets.len()).find(|&place| offsets[place] < offsets[place - 1]) {
        let (before, offset) = (offsets[place - 1], offsets[place]);
        let what = format!("offset {place} of {of} is {offset:?}, but the one before it is {before:?}");
        return Err(Trouble::Column(what));
    }
    // Ascending offsets can be negative only at the beginning.
    let (Some(start), Some(end)) = (first.to_usize(), last.to_usize()) else {
        return Err(Trouble::Column(format!("offset 0 of {of} is {first:?}, which is negative")));
    };
    match end <= length {
        true => Ok(start..end),
        false => Err(Trouble::Column(format!("the last offset of {of} is {end}, but they have a length of {length}"))),
    }
}
