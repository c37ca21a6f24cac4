//! Reads frames as C-Blosc2 3.3.5 does: by position, only the necessary parts, and with fewer checks than there are rules.
//!
//! What python-blosc2 does with a file that breaks a rule often depends on other bytes of the file, such as a stream beyond its
//! block, or on whether any item needs the invalid part. This module reads a file in the same order as C-Blosc2, up to the point
//! where C-Blosc2 would return an error. No item is kept. If the outcome depends on memory that C-Blosc2 has not initialised, or on
//! its plugins, this module makes no prediction.

mod chunk;
mod frame;
mod lazy;
pub(crate) mod objects;

use super::chunk::streams::Codecs;
use crate::bytes::course::{Step, Stop, part};
use crate::bytes::limits::Budget;

pub(crate) use chunk::ChunkHead;
pub(crate) use frame::FrameAsRead;

/// The maximum number of decoded bytes plus examined blocks. For files that claim more, no prediction is made, because it is not
/// worth the time.
const MOST_WORK: u64 = 64 << 20;

/// Reads a little-endian number that must exist.
pub fn number(bytes: &[u8], at: i64) -> Step<i64> {
    let bytes = part(bytes, at, size_of::<i32>() as i64)?.first_chunk().ok_or(Stop::Refused)?;
    Ok(i32::from_le_bytes(*bytes).into())
}

/// The state of C-Blosc2 while it reads a file.
pub(crate) struct AsRead<'r> {
    /// The file, starting with the first byte of the frame.
    pub file: &'r [u8],
    pub budget: &'r Budget,
    codecs: Codecs,
    target: Vec<u8>,
    /// The amount of work that may still be done for the file.
    pub work_left: u64,
    /// Bytes that are debited until the file is read.
    held: u64,
    /// True if the context keeps the dictionary of a decoded chunk.
    has_dictionary: bool,
}

impl<'r> AsRead<'r> {
    /// The state before the file is opened.
    pub fn new(file: &'r [u8], budget: &'r Budget) -> Self {
        AsRead::within(file, budget, MOST_WORK)
    }

    /// Like `AsRead::new`, but for one of several frames in a file, which share the limit on work.
    pub fn within(file: &'r [u8], budget: &'r Budget, work_left: u64) -> Self {
        let (codecs, target) = (Codecs::default(), Vec::new());
        AsRead { file, budget, codecs, target, work_left, held: 0, has_dictionary: false }
    }

    /// Drops the dictionary of the previous chunk from the context.
    pub fn forget_dictionary(&mut self) {
        self.has_dictionary = false;
    }

    /// Debits memory that is used until the file is read.
    pub fn hold(&mut self, bytes: i64) -> Step {
        self.budget.take(bytes.unsigned_abs(), "the places of chunks")?;
        self.held += bytes.unsigned_abs();
        Ok(())
    }

    /// Counts work and checks the clock.
    pub fn work(&mut self, amount: i64) -> Step {
        let left = self.work_left.checked_sub(amount.unsigned_abs().saturating_add(1));
        self.work_left = left.ok_or(Stop::Unknown)?;
        self.budget.ensure_time()?;
        Ok(())
    }
}

impl Drop for AsRead<'_> {
    fn drop(&mut self) {
        self.budget.give_back(self.target.capacity() as u64 + self.held);
    }
}
