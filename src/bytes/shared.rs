//! Memory that several holders take from one budget, for as long as they need it.

use super::limits::{Budget, Limits};
use crate::error::Result;
use std::sync::Arc;

/// The memory that [`Limits`] grant. Clones share it.
///
/// Code that makes more of a file's content than the file has takes the memory here first.
///
/// ```
/// use ndbytes::{Limits, Memory};
///
/// let memory = Memory::new(Limits::default().memory(100));
/// let taken = memory.take(60, "a copy")?;
/// assert!(memory.take(60, "another copy").is_err());
/// drop(taken);
/// assert!(memory.take(60, "another copy").is_ok());
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Memory {
    budget: Arc<Budget>,
}

/// Memory in use. It is given back on drop.
#[derive(Debug)]
#[must_use = "the memory is given back when this is dropped"]
pub struct Debited {
    budget: Arc<Budget>,
    bytes: u64,
}

impl Memory {
    /// All memory that the limits grant.
    pub fn new(limits: Limits) -> Self {
        Memory::of(limits.budget(0))
    }

    pub(crate) fn of(budget: Budget) -> Self {
        Memory { budget: Arc::new(budget) }
    }

    /// Takes `bytes` bytes. Call it before they are allocated. `what` names them in the message.
    ///
    /// # Errors
    /// [`Error::Limit`](crate::Error::Limit) if fewer are left.
    pub fn take(&self, bytes: u64, what: &'static str) -> Result<Debited> {
        self.budget.take(bytes, what)?;
        Ok(self.adopt(bytes))
    }

    /// Takes over memory that was debited from this budget, and kept.
    pub(crate) fn adopt(&self, bytes: u64) -> Debited {
        Debited { budget: Arc::clone(&self.budget), bytes }
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }
}

impl Debited {
    /// The number of bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Takes `bytes` bytes more.
    ///
    /// # Errors
    /// As for [`Memory::take`].
    pub fn grow(&mut self, bytes: u64, what: &'static str) -> Result<()> {
        self.budget.take(bytes, what)?;
        self.bytes += bytes;
        Ok(())
    }
}

impl Debited {
    /// Takes over memory of the same budget.
    pub(crate) fn absorb(&mut self, mut other: Debited) {
        self.bytes += std::mem::take(&mut other.bytes);
    }
}

impl Drop for Debited {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes);
    }
}
