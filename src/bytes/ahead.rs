//! Requests for many ranges of a source at once.

use super::input::Input;
use super::pages::Gap;
use crate::error::Result;
use std::io;
use std::ops::Range;

impl Input<'_> {
    /// Says that ranges will be read soon. Those of a source are read now, neighbours with one request, as far as there is
    /// room for them. Returns the number of ranges for which that holds, at least one: for the others, say it again.
    pub(crate) fn prepare(&self, ranges: impl Iterator<Item = Range<u64>>) -> Result<usize> {
        self.prepare_apart(ranges, Gap::Wide)
    }

    /// The same, with neighbours that are one request only up to a gap.
    pub(crate) fn prepare_apart(&self, ranges: impl Iterator<Item = Range<u64>>, gap: Gap) -> Result<usize> {
        let Some((source, start)) = self.paged() else { return Ok(usize::MAX) };
        // What is not in the file is an error where it is read.
        let in_file = |range: Range<u64>| match self.holds(&range) {
            true => start + range.start..start + range.end,
            false => 0..0,
        };
        source.prepare(ranges.map(in_file), gap, self.budget()).map_err(|error| self.named(error))
    }

    /// Copies ascending ranges one after the other into a buffer of their length. Those of a source are requested as they are,
    /// and not kept: for bytes that are far apart.
    pub(crate) fn read_scattered(&self, ranges: &[Range<u64>], buffer: &mut [u8]) -> Result<()> {
        self.budget().ensure_time()?;
        if let Some((source, start)) = self.paged() {
            if !ranges.iter().all(|range| self.holds(range)) {
                return Err(self.io(io::ErrorKind::UnexpectedEof.into()));
            }
            let places: Vec<_> = ranges.iter().map(|range| start + range.start..start + range.end).collect();
            return source.read_scattered(&places, buffer, self.budget()).map_err(|error| self.named(error));
        }
        let mut rest = buffer;
        for range in ranges {
            let (here, after) = rest.split_at_mut((range.end - range.start) as usize);
            self.read_at(here, range.start)?;
            rest = after;
        }
        Ok(())
    }
}
