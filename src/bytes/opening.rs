//! Opening a source as an input.

use super::input::{Data, HEAD, Input};
use super::limits::Limits;
use super::memory::AlignedBytes;
use super::pages::{Opened, Paged, Sizes};
use super::source::ReadRanges;
use crate::error::Result;
use std::sync::{Arc, OnceLock};

impl Input<'static> {
    /// Opens a file by way of its ranges. Its first and last bytes are read at once, with one call: all bytes of a small file.
    /// Everything else is read when it is asked for. Views of arrays, [`Input::bytes`] and [`Input::range`] keep all bytes in
    /// memory.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) if the source cannot be read, or gives other lengths than it was asked for. The error names the range.
    pub fn from_source(source: impl ReadRanges + 'static, limits: Limits) -> Result<Self> {
        Input::paged(Box::new(source), limits, Sizes::with_head(HEAD as u64))
    }

    /// The same with a head, a tail and pages of other sizes: for tests, whose files are small.
    #[doc(hidden)]
    pub fn from_source_in_pages(source: impl ReadRanges + 'static, limits: Limits, sizes: [u64; 3]) -> Result<Self> {
        let [head, tail, page] = sizes;
        Input::paged(Box::new(source), limits, Sizes { head, tail, page })
    }

    fn paged(source: Box<dyn ReadRanges>, limits: Limits, sizes: Sizes) -> Result<Self> {
        Ok(match Paged::open(source, limits, sizes)? {
            Opened::Whole(bytes) => {
                let length = bytes.as_slice().len() as u64;
                Input::new(None, Data::Memory(bytes), length, limits.budget(length))
            }
            Opened::Paged(paged) => {
                let (head, length) = (AlignedBytes::copy_of(paged.head.as_slice())?, paged.length);
                let data = Data::Source { source: Arc::new(paged), start: 0, head, whole: OnceLock::new() };
                Input::new(None, data, length, Paged::budget(limits))
            }
        })
    }
}
