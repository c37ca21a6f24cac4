//! The cost of a file: at most in proportion to its length, whatever the specification says.
//!
//! Neither the specification nor the file is trusted. A specification may have an expression that doubles a string
//! forty times, or a loop over a list in a loop. So every step, every kept value and every byte that is searched or
//! decoded is debited from a budget. Each limit is a multiple of the length of the file, plus a fixed part for small
//! files. A limit on time alone would make results depend on the machine, so the time limit is optional.

use super::slots::{Slot, Structure};
use super::value::{Cause, Read, fault};
use everybyte::budget::{self, Cost, Deadline};
use std::time::Duration;

/// The memory for reading a file: per byte, and the fixed part.
const MEMORY: [u64; 2] = [24, 42 << 20];

/// The memory for the data that was read, together with its map.
const WITH_MAP: [u64; 2] = [30, 54 << 20];

/// The number of steps of expressions per byte, and the fixed part.
const STEPS: [u64; 2] = [256, 16 << 20];

/// The number of bytes that are searched, decoded or compared per byte, and the fixed part.
const WORK: [u64; 2] = [256, 64 << 20];

/// The number of bytes that are unpacked per byte, and the fixed part: the maximum ratio of deflate.
const UNPACKED: [u64; 2] = [1032, 64 << 10];

/// The overhead of a value in memory.
pub const HELD: u64 = 32;

/// The number of calls, and of bytes, between two checks of the clock.
const CALLS: u32 = 1 << 10;
const MANY: usize = 1 << 18;

/// The limits that the caller sets, in addition to those for every file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Granted {
    /// The memory limit in bytes.
    pub memory: Option<u64>,
    /// The time limit for a file.
    pub time: Option<Duration>,
}

/// The remaining budget, which gets back the memory that is released.
#[derive(Debug)]
pub struct Budget {
    left: budget::Budget,
    calls: u32,
    /// The memory of values that an expression creates, until it ends.
    made: u64,
    /// The maximum of all memory at any time.
    #[cfg(test)]
    most_held: u64,
    with_map: u64,
}

impl Budget {
    /// Creates the budget for a file, within the limits that the caller sets.
    pub fn of(length: usize, granted: Granted) -> Self {
        // A limit in proportion to the length of a file, plus a constant for small files.
        let of = |[each, beside]: [u64; 2]| (length as u64).saturating_mul(each).saturating_add(beside);
        let memory = |bound: [u64; 2]| granted.memory.unwrap_or(u64::MAX).min(of(bound));
        let left = budget::Budget::until(granted.time.and_then(Deadline::after));
        let left = left.grant(Cost::Memory, memory(MEMORY)).grant(Cost::Steps, of(STEPS));
        Budget {
            left: left.grant(Cost::Work, of(WORK)).grant(Cost::Unpacked, of(UNPACKED)),
            calls: 0,
            made: 0,
            #[cfg(test)]
            most_held: 0,
            with_map: memory(WITH_MAP),
        }
    }

    /// Charges a structure with this number of slots.
    pub fn structure(&mut self, slots: usize) -> Read<()> {
        self.memory((size_of::<Structure>() + slots * size_of::<Slot>()) as u64)
    }

    /// Charges the bytes of the values to keep in a list. Lists of values without bytes are also limited.
    pub fn values(&mut self, bytes: usize) -> Read<()> {
        self.memory(bytes as u64)
    }

    /// Reads the clock from time to time.
    #[inline]
    fn tick(&mut self, bytes: usize) -> Read<()> {
        self.calls = self.calls.wrapping_add(1);
        match self.left.deadline() {
            Some(deadline) if self.calls % CALLS == 1 || bytes >= MANY => ensure_time(deadline),
            _ => Ok(()),
        }
    }

    /// Charges memory that is kept, in bytes.
    #[inline]
    pub fn memory(&mut self, bytes: u64) -> Read<()> {
        self.tick(0)?;
        let is_enough = self.left.spend(Cost::Memory, bytes);
        self.ensure_memory(is_enough)
    }

    /// Charges the memory of a value that an expression creates, in bytes, until it is released.
    pub fn made(&mut self, bytes: usize) -> Read<()> {
        self.made = self.made.saturating_add(bytes as u64 + HELD);
        self.ensure_memory(true)
    }

    /// Returns the current memory of values that expressions created.
    pub fn mark(&self) -> u64 {
        self.made
    }

    /// Releases the memory of values created after a mark.
    pub fn release(&mut self, mark: u64) {
        self.made = mark;
    }

    /// Fails if more memory is used than allowed.
    #[inline]
    fn ensure_memory(&mut self, is_enough: bool) -> Read<()> {
        #[cfg(test)]
        {
            self.most_held = self.most_held.max(self.held());
        }
        if is_enough && self.made <= self.left.left(Cost::Memory) {
            return Ok(());
        }
        let most = self.left.granted(Cost::Memory);
        fault(Cause::Limit, format!("reading the file takes more than {most} bytes of memory"))
    }

    /// Returns how much of a limit is used.
    fn used(&self, cost: Cost) -> u64 {
        self.left.granted(cost) - self.left.left(cost)
    }

    /// Returns the bytes of memory that a map may take.
    pub fn left_for_map(&self) -> u64 {
        self.with_map.saturating_sub(self.used(Cost::Memory))
    }

    /// Charges a step of an expression.
    #[inline]
    pub fn step(&mut self) -> Read<()> {
        self.tick(0)?;
        if self.left.spend(Cost::Steps, 1) {
            return Ok(());
        }
        let most = self.left.granted(Cost::Steps);
        fault(Cause::Limit, format!("the expressions take more than {most} steps"))
    }

    /// Returns the steps and bytes that were charged, for tests of an operator's cost.
    #[cfg(test)]
    pub fn spent(&self) -> u64 {
        self.used(Cost::Steps) + self.used(Cost::Work)
    }

    /// Returns the memory in use, for the same tests.
    #[cfg(test)]
    pub fn held(&self) -> u64 {
        self.used(Cost::Memory) + self.made
    }

    /// Returns the peak memory since the last call, for the same tests.
    #[cfg(test)]
    pub fn take_most_held(&mut self) -> u64 {
        let held = self.held();
        std::mem::replace(&mut self.most_held, held)
    }

    /// Charges bytes that are searched, decoded or compared.
    pub fn work(&mut self, bytes: usize) -> Read<()> {
        self.tick(bytes)?;
        if self.left.spend(Cost::Work, bytes as u64) {
            return Ok(());
        }
        let most = self.left.granted(Cost::Work);
        fault(Cause::Limit, format!("reading the file searches, decodes or compares more than {most} bytes"))
    }

    /// Returns how many bytes may still be unpacked.
    pub fn room(&self) -> usize {
        let memory = self.left.left(Cost::Memory).saturating_sub(self.made);
        usize::try_from(self.left.left(Cost::Unpacked).min(memory)).unwrap_or(usize::MAX)
    }

    /// Charges bytes that were unpacked.
    pub fn unpacked(&mut self, bytes: usize) -> Read<()> {
        if self.left.spend(Cost::Unpacked, bytes as u64) {
            return self.memory(bytes as u64);
        }
        let most = self.left.granted(Cost::Unpacked);
        fault(Cause::Limit, format!("more than {most} bytes are unpacked"))
    }
}

/// Fails if the time is up.
fn ensure_time(deadline: Deadline) -> Read<()> {
    if !deadline.is_over() {
        return Ok(());
    }
    let granted = deadline.granted();
    fault(Cause::Limit, format!("reading the file takes longer than the time limit of {granted:?}"))
}
