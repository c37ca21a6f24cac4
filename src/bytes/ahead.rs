//! Requests many ranges of a source at once.

use super::input::Input;
use super::pages::Gap;
use crate::error::Result;
use std::io;
use std::ops::Range;

impl Input<'_> {
    /// Announces ranges that will be read soon. Ranges of a source are read immediately while there is room for them, and
    /// neighbours are read in one request. Returns the number of ranges that were processed, which is at least one. Announce the
    /// others again later.
    pub(crate) fn prepare(&self, ranges: impl Iterator<Item = Range<u64>>) -> Result<usize> {
        self.prepare_apart(ranges, Gap::Wide)
    }

    /// Like `Input::prepare`, but joins neighbours only across gaps up to this length.
    pub(crate) fn prepare_apart(&self, ranges: impl Iterator<Item = Range<u64>>, gap: Gap) -> Result<usize> {
        let Some((source, start)) = self.paged() else { return Ok(usize::MAX) };
        // A range beyond the end of the file is not an error until it is read.
        let in_file = |range: Range<u64>| match self.holds(&range) {
            true => start + range.start..start + range.end,
            false => 0..0,
        };
        source.prepare(ranges.map(in_file), gap, self.budget()).map_err(|error| self.named(error))
    }

    /// Copies ascending ranges into a buffer of their total length. From a source, exactly these ranges are requested, and they are
    /// not cached. Use it for bytes that are far apart.
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
