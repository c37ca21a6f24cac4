//! Reads widely separated bytes, which are requested exactly instead of by pages.

use super::{Paged, steps};
use crate::bytes::limits::Budget;
use crate::error::Result;
use std::ops::Range;

/// Needed bytes are requested together with those between them if that multiplies their number by at most this factor.
const DILUTED: u64 = 4;

/// The approximate length of a request and the headers of its response. Ranges whose distance is smaller than this are merged.
const NEAR: u64 = 1 << 10;

/// The maximum number of ranges that are requested for one list. If there would be more, wider gaps are also bridged.
const MOST_RANGES: usize = 8 << 10;

/// Merges ascending ranges into ranges that are each worth a request.
pub fn joined(wanted: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut near = NEAR;
    loop {
        let ranges = joined_up_to(near, wanted);
        if ranges.len() <= MOST_RANGES {
            return ranges;
        }
        near = near.saturating_mul(4);
    }
}

/// Joins sorted ranges across gaps of at most `near` bytes, and across wider ones while the joined range is at most
/// [`DILUTED`] times as long as the requested bytes in it.
fn joined_up_to(near: u64, wanted: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut ranges: Vec<Range<u64>> = Vec::new();
    let mut filled = 0_u64;
    for next in wanted {
        let more = next.end - next.start;
        match ranges.last_mut() {
            Some(last)
                if next.start.saturating_sub(last.end) <= near
                    || next.end - last.start <= (filled + more).saturating_mul(DILUTED) =>
            {
                filled += next.end.saturating_sub(next.start.max(last.end));
                last.end = last.end.max(next.end);
            }
            _ => {
                ranges.push(next.clone());
                filled = more;
            }
        }
    }
    ranges
}

impl Paged {
    /// Copies ranges to a buffer of their total length. Ranges that are not cached are requested exactly, many at once, without
    /// caching them.
    pub fn read_scattered(&self, ranges: &[Range<u64>], out: &mut [u8], budget: &Budget) -> Result<()> {
        let (mut rest, mut missing) = (out, Vec::new());
        for range in ranges {
            let (here, after) = rest.split_at_mut((range.end - range.start) as usize);
            rest = after;
            if !self.copy_at_hand(range, here) {
                missing.push((range.clone(), here));
            }
        }
        let places = steps(missing.iter().map(|(range, _)| range.clone()));
        let mut targets = missing.into_iter().map(|(_, target)| target);
        let mut target: &mut [u8] = &mut [];
        for places in places {
            for (_, bytes) in self.ask(&places, budget)? {
                if target.is_empty() {
                    target = targets.next().unwrap_or_default();
                }
                let (here, after) = target.split_at_mut(bytes.len());
                here.copy_from_slice(&bytes);
                target = after;
            }
        }
        Ok(())
    }

    /// Copies a range if it is completely cached.
    fn copy_at_hand(&self, range: &Range<u64>, out: &mut [u8]) -> bool {
        if let Some(held) = self.held(range) {
            out.copy_from_slice(held);
            return true;
        }
        self.between(range).is_some_and(|between| between == *range && self.copy_kept(range, out).is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_RANGES, joined};

    #[test]
    fn ranges_that_are_far_apart_stay_apart() {
        let columns: Vec<_> = (0..100).map(|row| row * 16_384..row * 16_384 + 4).collect();
        assert_eq!(joined(&columns), columns);
    }

    #[test]
    fn ranges_are_joined_if_a_quarter_of_the_bytes_is_wanted() {
        let quarters: Vec<_> = (0..100).map(|row| row * 16_384..row * 16_384 + 4096).collect();
        let whole = 0..99 * 16_384 + 4096;
        assert_eq!(joined(&quarters), std::slice::from_ref(&whole));
        let less: Vec<_> = (0..100).map(|row| row * 16_384..row * 16_384 + 2048).collect();
        assert_eq!(joined(&less), less);
    }

    #[test]
    fn ranges_that_are_too_many_are_joined_over_wider_gaps() {
        let many: Vec<_> = (0..MOST_RANGES as u64 + 1).map(|row| row * 2048..row * 2048 + 4).collect();
        assert_eq!(joined(&many).len(), 1);
    }
}
