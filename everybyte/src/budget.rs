//! The remaining budget for reading a file: memory, work and time. Every reader uses this type, whatever its limits are.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A resource that is used up by reading a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Bytes of memory.
    Memory,
    /// Bytes that are read, searched, decoded or compared.
    Work,
    /// Steps of expressions.
    Steps,
    /// Bytes that are unpacked.
    Unpacked,
    /// Fields of a map, and structures at offsets.
    Fields,
    /// Packed contents.
    Contents,
}

/// The number of costs.
const COSTS: usize = Cost::Contents as usize + 1;

/// The remaining budget while a file is read.
///
/// ```
/// use everybyte::budget::{Budget, Cost};
///
/// let mut budget = Budget::until(None).grant(Cost::Memory, 100);
/// assert_eq!(budget.take(Cost::Memory, 70), Ok(()));
/// assert_eq!(budget.take(Cost::Memory, 70), Err(30));
/// assert!(!budget.spend(Cost::Memory, 70));
/// assert_eq!((budget.left(Cost::Memory), budget.granted(Cost::Memory)), (0, 100));
/// ```
#[derive(Debug)]
pub struct Budget {
    granted: [u64; COSTS],
    left: [AtomicU64; COSTS],
    deadline: Option<Deadline>,
}

impl Budget {
    /// Creates a budget whose only limit is a deadline, if there is one.
    #[inline]
    pub fn until(deadline: Option<Deadline>) -> Self {
        Budget { granted: [u64::MAX; COSTS], left: [const { AtomicU64::new(u64::MAX) }; COSTS], deadline }
    }

    /// Limits a cost.
    #[inline]
    #[must_use]
    pub fn grant(mut self, cost: Cost, most: u64) -> Self {
        (self.granted[cost as usize], self.left[cost as usize]) = (most, AtomicU64::new(most));
        self
    }

    /// Returns the limit on a cost.
    #[inline]
    pub fn granted(&self, cost: Cost) -> u64 {
        self.granted[cost as usize]
    }

    /// Returns how much of a cost is left.
    #[inline]
    pub fn left(&self, cost: Cost) -> u64 {
        self.left[cost as usize].load(Ordering::Relaxed)
    }

    /// Takes an amount from a budget that several threads share.
    ///
    /// # Errors
    /// Returns the remaining amount if it is not sufficient. Nothing is taken in that case.
    #[inline]
    pub fn take(&self, cost: Cost, amount: u64) -> Result<(), u64> {
        let debit = |left: u64| left.checked_sub(amount);
        self.left[cost as usize].fetch_update(Ordering::Relaxed, Ordering::Relaxed, debit).map(drop)
    }

    /// Takes an amount from a budget that no other thread uses. If less is left, takes the rest and returns false.
    #[inline]
    pub fn spend(&mut self, cost: Cost, amount: u64) -> bool {
        let left = self.left[cost as usize].get_mut();
        let is_enough = *left >= amount;
        *left = left.saturating_sub(amount);
        is_enough
    }

    /// Puts back an amount that was taken.
    #[inline]
    pub fn give_back(&self, cost: Cost, amount: u64) {
        self.left[cost as usize].fetch_add(amount, Ordering::Relaxed);
    }

    /// Returns the deadline, if there is one.
    #[inline]
    pub fn deadline(&self) -> Option<Deadline> {
        self.deadline
    }

    /// Limits the time. If it is already limited, the earlier deadline applies.
    pub fn end_by(&mut self, deadline: Option<Deadline>) {
        self.deadline = self.deadline.into_iter().chain(deadline).min_by_key(|deadline| deadline.end);
    }

    /// Removes the limit on time.
    pub fn never_end(&mut self) {
        self.deadline = None;
    }

    /// Returns whether another structure may be read.
    pub(crate) fn has_room(&self) -> bool {
        self.left(Cost::Fields) > 0 && self.left(Cost::Work) > 0
    }

    /// Returns whether more packed content may be read.
    pub(crate) fn has_space(&self) -> bool {
        self.left(Cost::Contents) > 0 && self.has_room()
    }

    /// Deducts the cost of a structure of this many bytes.
    pub(crate) fn debit(&mut self, bytes: u64) {
        self.spend(Cost::Fields, 1);
        self.spend(Cost::Work, bytes.max(1));
    }

    /// Deducts the cost of one piece of packed content.
    pub(crate) fn debit_space(&mut self) {
        self.spend(Cost::Contents, 1);
    }
}

/// The time at which some work must end. Several files can share a deadline.
///
/// ```
/// use everybyte::budget::Deadline;
/// use std::time::Duration;
///
/// assert!(Deadline::after(Duration::ZERO).is_some_and(Deadline::is_over));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Deadline {
    end: Instant,
    granted: Duration,
}

impl Deadline {
    /// Returns the deadline that is this long from now; `None` if the clock cannot represent it.
    pub fn after(granted: Duration) -> Option<Self> {
        Some(Deadline { end: Instant::now().checked_add(granted)?, granted })
    }

    /// Returns the total time granted.
    pub fn granted(self) -> Duration {
        self.granted
    }

    /// Returns the time that is left.
    pub fn left(self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// Returns whether the time is up.
    pub fn is_over(self) -> bool {
        Instant::now() >= self.end
    }
}
