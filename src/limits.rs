//! How much a file may cost.

use crate::{Error, Result};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a caller grants to a file it does not trust.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes that may be allocated beyond the length of the input itself; by default 1 GiB. Whatever a file can make
    /// a reader allocate is debited here: what a compressed payload expands to, above all. The length of a stream is not
    /// known before it ends, so its bytes are debited too. A header may take 1 MiB (some 131,000 axes) at the most,
    /// whatever the budget.
    pub memory: u64,
}

impl Limits {
    /// The limits with another budget for memory.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Self {
        Limits { memory: bytes }
    }

    /// The budget for an input of this length.
    pub(crate) fn budget(self, input_length: u64) -> Budget {
        Budget { left: AtomicU64::new(self.memory.saturating_add(input_length)) }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits { memory: 1 << 30 }
    }
}

/// What is left of the limits while one file is read.
#[derive(Debug)]
pub(crate) struct Budget {
    left: AtomicU64,
}

impl Budget {
    /// Credits what was debited for memory that is free again.
    pub fn give_back(&self, bytes: u64) {
        self.left.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Debits an allocation before it is made.
    pub fn take(&self, bytes: u64, what: &'static str) -> Result<()> {
        let debit = |left: u64| left.checked_sub(bytes);
        match self.left.try_update(Ordering::Relaxed, Ordering::Relaxed, debit) {
            Ok(_) => Ok(()),
            Err(left) => Err(Error::Limit { what, needed: bytes, left }),
        }
    }
}

/// What was debited for memory that somebody holds: it is credited when that is free again.
#[derive(Debug)]
pub(crate) struct Debit<'b> {
    budget: &'b Budget,
    bytes: Cell<u64>,
}

impl<'b> Debit<'b> {
    pub fn new(budget: &'b Budget) -> Self {
        Debit { budget, bytes: Cell::new(0) }
    }

    /// Debits an allocation before it is made.
    pub fn take(&self, bytes: u64, what: &'static str) -> Result<()> {
        self.budget.take(bytes, what)?;
        self.bytes.set(self.bytes.get() + bytes);
        Ok(())
    }

    /// Leaves the memory to somebody who keeps it.
    pub fn keep(self) {
        self.bytes.set(0);
    }
}

impl Drop for Debit<'_> {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes.get());
    }
}
