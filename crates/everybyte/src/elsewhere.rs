//! Structures at offsets that the file states: how much of them is read, and past which limits.
//!
//! Offsets may lead to the same bytes again and again. Together such structures have as many bytes as a few times the file, so that
//! time and memory stay proportional to it.

use std::cell::Cell;

/// Structures at offsets are read for so many times the bytes of their space.
const MOST_READ: u64 = 4;

/// Bytes that may be read of even the smallest space.
const LEAST_READ: u64 = 64 << 10;

/// The maximum number of structures at offsets that a map shows.
pub const MOST_SHOWN: u32 = 1 << 17;

/// What may still be read.
#[derive(Debug, Clone, Copy)]
struct Budget {
    bytes: u64,
    shown: u32,
    is_spent: bool,
    is_reported: bool,
}

thread_local! {
    static BUDGET: Cell<Option<Budget>> = const { Cell::new(None) };
    /// The number of structures at offsets that are being read, each inside the one before it.
    static LEVEL: Cell<u32> = const { Cell::new(0) };
}

/// Restores a cell on drop, even in a panic.
struct Restored<T: Copy + 'static>(&'static std::thread::LocalKey<Cell<T>>, T);

impl<T: Copy + 'static> Drop for Restored<T> {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
}

/// Runs `read` with one budget for a space of this length, unless one is there.
pub fn bounded<T>(length: u64, read: impl FnOnce() -> T) -> T {
    if BUDGET.get().is_some() {
        return read();
    }
    let bytes = length.saturating_mul(MOST_READ).max(LEAST_READ);
    let _outer = Restored(&BUDGET, BUDGET.replace(Some(Budget { bytes, shown: MOST_SHOWN, is_spent: false, is_reported: false })));
    read()
}

/// Returns whether a further structure may be read.
pub fn may_go_on(is_shown: bool) -> bool {
    let Some(budget) = BUDGET.get() else { return true };
    let may = budget.bytes > 0 && (budget.shown > 0 || !is_shown);
    BUDGET.set(Some(Budget { is_spent: budget.is_spent || !may, ..budget }));
    may
}

/// Takes a structure of this many bytes off the budget.
pub fn debit(bytes: u64, is_shown: bool) {
    if let Some(budget) = BUDGET.get() {
        let shown = budget.shown.saturating_sub(is_shown.into());
        BUDGET.set(Some(Budget { bytes: budget.bytes.saturating_sub(bytes.max(1)), shown, ..budget }));
    }
}

/// Returns whether structures were not read, since the budget was spent.
pub fn is_spent() -> bool {
    BUDGET.get().is_some_and(|budget| budget.is_spent)
}

/// Returns whether it was not said yet that the budget is spent.
pub fn is_first_refusal() -> bool {
    let Some(budget) = BUDGET.get() else { return true };
    BUDGET.set(Some(Budget { is_reported: true, ..budget }));
    !budget.is_reported
}

/// The number of structures at offsets around what is being read. The limits of readers of a lower number do not hold.
#[inline]
pub fn level() -> u32 {
    LEVEL.get()
}

/// Runs `read` for a structure at an offset, past the limits of the structures around it.
pub fn past_limits<T>(read: impl FnOnce() -> T) -> T {
    let level = LEVEL.get();
    let _outer = Restored(&LEVEL, level);
    LEVEL.set(level + 1);
    read()
}
