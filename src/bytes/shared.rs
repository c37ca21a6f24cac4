//! Memory that several owners reserve from one budget for as long as they need it.

use super::limits::{Budget, Limits};
use crate::error::Result;
use std::sync::Arc;

/// The memory that [`Limits`] allow, which is shared by all clones.
///
/// If your code produces more from a file's content than the file contains, reserve the memory here first.
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

/// Reserved memory. It is released on drop.
///
/// ```
/// use ndbytes::{Limits, Memory};
///
/// let memory = Memory::new(Limits::default().memory(100));
/// let mut rows = memory.take(60, "the rows")?;
/// rows.grow(30, "more rows")?;
/// assert_eq!(rows.bytes(), 90);
/// assert!(rows.grow(20, "more rows").is_err()); // 10 bytes are left
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "the memory is given back when this is dropped"]
pub struct Debited {
    budget: Arc<Budget>,
    bytes: u64,
}

impl Memory {
    /// All of the memory that the limits allow.
    pub fn new(limits: Limits) -> Self {
        Memory::of(limits.budget(0))
    }

    /// Creates memory that is taken from this budget.
    pub(crate) fn of(budget: Budget) -> Self {
        Memory { budget: Arc::new(budget) }
    }

    /// Reserves `bytes` bytes. Call it before allocating them. `what` names their purpose in the message.
    ///
    /// # Errors
    /// [`Error::Limit`](crate::Error::Limit) if fewer are left.
    pub fn take(&self, bytes: u64, what: &'static str) -> Result<Debited> {
        self.budget.take(bytes, what)?;
        Ok(self.adopt(bytes))
    }

    /// Takes over memory that was already debited from this budget.
    pub(crate) fn adopt(&self, bytes: u64) -> Debited {
        Debited { budget: Arc::clone(&self.budget), bytes }
    }

    /// The budget.
    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }
}

impl Debited {
    /// The number of bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reserves `bytes` more bytes.
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
    /// Takes over memory from the same budget.
    pub(crate) fn absorb(&mut self, mut other: Debited) {
        self.bytes += std::mem::take(&mut other.bytes);
    }
}

impl Drop for Debited {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes);
    }
}
