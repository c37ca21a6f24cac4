//! The chunks of an array that have no values because the file declares them uninitialised.

use super::array::Array;
use super::geometry::Axis;
use crate::error::Result;
use std::ops::Range;

impl Array<'_> {
    /// The chunks that were never written, as ranges along each axis. They are read as zeros. An array without any values counts as
    /// one such chunk.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io).
    #[doc(hidden)]
    pub fn unwritten(&self) -> Result<Vec<Vec<Range<u64>>>> {
        let (geometry, index) = (self.geometry(), &self.container().frame.index);
        let distinct = index.distinct();
        let mut chunks = Vec::new();
        for chunk in distinct.clone() {
            self.input().budget().ensure_time()?;
            if self.is_uninitialised(chunk)? {
                chunks.push(chunk);
            }
        }
        if geometry.items > 0 && chunks.len() as u64 == distinct.end && !chunks.is_empty() {
            return Ok(vec![geometry.axes.iter().map(|axis| 0..axis.extent).collect()]);
        }
        let of_chunk = |chunk| {
            let places = geometry.place(chunk, Axis::chunks);
            let axes = geometry.axes.iter().zip(places);
            axes.map(|(axis, place)| place * axis.chunk..((place + 1) * axis.chunk).min(axis.extent)).collect()
        };
        Ok(chunks.into_iter().map(of_chunk).collect())
    }
}
