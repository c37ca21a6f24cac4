//! The cost of a file: in proportion to its length, whatever the specification says.

use super::slots::{Slot, Structure};
use super::value::{Cause, Read, fault};
use std::time::{Duration, Instant};

/// The memory that is taken while a file is read, for each byte of it, and beside that.
const MEMORY: [u64; 2] = [24, 42 << 20];

/// The memory of what was read and of its map together.
const WITH_MAP: [u64; 2] = [30, 54 << 20];

/// The steps of expressions for each byte, and beside that.
const STEPS: [u64; 2] = [256, 16 << 20];

/// The bytes that are searched, decoded or compared for each byte, and beside that.
const WORK: [u64; 2] = [256, 64 << 20];

/// The bytes that are unpacked out of each byte, and beside that: what deflate reaches.
const UNPACKED: [u64; 2] = [1032, 64 << 10];

/// The memory that a value takes beside its bytes: what counts and allocates them.
pub const HELD: u64 = 32;

/// The calls between two looks at the clock, and the bytes before which it is looked at.
const CALLS: u32 = 1 << 10;
const MANY: usize = 1 << 18;

/// The bounds that the caller sets, beside those that every file has.
#[derive(Debug, Clone, Copy, Default)]
pub struct Granted {
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// The time for a file.
    pub time: Option<Duration>,
}

/// The bounds, and how far they are used.
#[derive(Debug)]
pub struct Budget {
    /// The end of the time, and how much was granted.
    end: Option<(Instant, Duration)>,
    calls: u32,
    memory: Bound,
    /// The memory of values that an expression makes, until it ends.
    made: u64,
    with_map: u64,
    steps: Bound,
    work: Bound,
    unpacked: Bound,
}

#[derive(Debug)]
struct Bound {
    most: u64,
    used: u64,
}

impl Bound {
    fn of(length: usize, [each, beside]: [u64; 2]) -> Self {
        Bound { most: (length as u64).saturating_mul(each).saturating_add(beside), used: 0 }
    }

    /// Takes an amount; false if the bound is crossed.
    #[inline]
    fn take(&mut self, amount: u64) -> bool {
        self.used = self.used.saturating_add(amount);
        self.used <= self.most
    }
}

impl Budget {
    pub fn of(length: usize, granted: Granted) -> Self {
        let least = |bound: [u64; 2]| {
            let bound = Bound::of(length, bound);
            Bound { most: granted.memory.map_or(bound.most, |granted| bound.most.min(granted)), ..bound }
        };
        Budget {
            end: granted.time.and_then(|time| Some((Instant::now().checked_add(time)?, time))),
            calls: 0,
            memory: least(MEMORY),
            made: 0,
            with_map: least(WITH_MAP).most,
            steps: Bound::of(length, STEPS),
            work: Bound::of(length, WORK),
            unpacked: Bound::of(length, UNPACKED),
        }
    }

    /// A structure with this number of slots.
    pub fn structure(&mut self, slots: usize) -> Read<()> {
        self.memory((size_of::<Structure>() + slots * size_of::<Slot>()) as u64)
    }

    /// Bytes of values that are kept in a list. A list without bytes is bounded, too.
    pub fn values(&mut self, bytes: usize) -> Read<()> {
        self.memory(bytes as u64)
    }

    /// Looks at the clock now and then.
    #[inline]
    fn tick(&mut self, bytes: usize) -> Read<()> {
        self.calls = self.calls.wrapping_add(1);
        match self.end {
            Some((end, granted)) if self.calls % CALLS == 1 || bytes >= MANY => ensure_time(end, granted),
            _ => Ok(()),
        }
    }

    /// Bytes of memory.
    #[inline]
    pub fn memory(&mut self, bytes: u64) -> Read<()> {
        self.tick(0)?;
        self.memory.take(bytes);
        self.has_memory()
    }

    /// Bytes of memory of a value that an expression makes, until they are released.
    pub fn made(&mut self, bytes: usize) -> Read<()> {
        self.made = self.made.saturating_add(bytes as u64 + HELD);
        self.has_memory()
    }

    /// The memory of values that expressions make at present.
    pub fn mark(&self) -> u64 {
        self.made
    }

    /// Releases what was made after a mark.
    pub fn release(&mut self, mark: u64) {
        self.made = mark;
    }

    #[inline]
    fn has_memory(&self) -> Read<()> {
        let most = self.memory.most;
        if self.memory.used.saturating_add(self.made) <= most {
            return Ok(());
        }
        fault(Cause::Limit, format!("what is read of the file takes more than {most} bytes of memory"))
    }

    /// The bytes of memory that a map may take.
    pub fn left_for_map(&self) -> u64 {
        self.with_map.saturating_sub(self.memory.used)
    }

    /// A step of an expression.
    #[inline]
    pub fn step(&mut self) -> Read<()> {
        self.tick(0)?;
        let most = self.steps.most;
        if self.steps.take(1) {
            return Ok(());
        }
        fault(Cause::Limit, format!("the expressions take more than {most} steps"))
    }

    /// The steps and the bytes that were taken, for tests of what an operator costs.
    #[cfg(test)]
    pub fn spent(&self) -> u64 {
        self.steps.used + self.work.used
    }

    /// Bytes that are searched, decoded or compared.
    pub fn work(&mut self, bytes: usize) -> Read<()> {
        self.tick(bytes)?;
        let most = self.work.most;
        if self.work.take(bytes as u64) {
            return Ok(());
        }
        fault(Cause::Limit, format!("more than {most} bytes are searched, decoded or compared"))
    }

    /// The bytes that may still be unpacked.
    pub fn room(&self) -> usize {
        let unpacked = self.unpacked.most.saturating_sub(self.unpacked.used);
        let memory = self.memory.most.saturating_sub(self.memory.used + self.made);
        usize::try_from(unpacked.min(memory)).unwrap_or(usize::MAX)
    }

    /// Bytes that were unpacked.
    pub fn unpacked(&mut self, bytes: usize) -> Read<()> {
        let most = self.unpacked.most;
        if self.unpacked.take(bytes as u64) {
            return self.memory(bytes as u64);
        }
        fault(Cause::Limit, format!("more than {most} bytes are unpacked"))
    }
}

fn ensure_time(end: Instant, granted: Duration) -> Read<()> {
    match Instant::now() < end {
        true => Ok(()),
        false => fault(Cause::Limit, format!("reading the file takes longer than the {granted:?} that are granted")),
    }
}
