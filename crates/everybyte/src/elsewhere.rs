//! Structures at offsets that the file states: how much of them is read, and past which limits.
//!
//! Offsets may lead to the same bytes again and again. Together such structures have as many bytes as a few times the file, so that
//! time and memory stay proportional to it.

use crate::pieces;
use std::cell::{Cell, RefCell};
use std::ops::Range;

/// Structures at offsets are read for so many times the bytes of their space, unless limits say another number.
const MOST_READ: u64 = 4;

/// Bytes that may be read of even the smallest file.
pub const LEAST_READ: u64 = 64 << 10;

/// The contents that a file may have, unless limits say another number.
const MOST_CONTENTS: u32 = 1 << 12;

/// The rest of the structures that may be read.
#[derive(Debug, Clone, Copy)]
struct Budget {
    bytes: u64,
    /// Contents that may still be read.
    contents: u32,
    /// True if structures were not read.
    is_spent: bool,
    /// True if the map has no room for structures that were read.
    is_cut: bool,
}

thread_local! {
    static BUDGET: Cell<Option<Budget>> = const { Cell::new(None) };
    /// The number of structures at offsets that are being read, each inside the one before it.
    static LEVEL: Cell<u32> = const { Cell::new(0) };
    /// The bytes of structures at offsets that are in no map.
    static CLAIMED: RefCell<Vec<Range<u64>>> = const { RefCell::new(Vec::new()) };
}

/// Restores a cell on drop, even in a panic.
struct Restored<T: Copy + 'static>(&'static std::thread::LocalKey<Cell<T>>, T);

impl<T: Copy + 'static> Drop for Restored<T> {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
}

/// Runs `read` with a budget for a space of this length, unless one is there.
pub fn bounded<T>(length: u64, read: impl FnOnce() -> T) -> T {
    match BUDGET.get() {
        Some(_) => read(),
        None => within(length.saturating_mul(MOST_READ).max(LEAST_READ), MOST_CONTENTS, read),
    }
}

/// Runs `read` with a budget of its own.
pub fn within<T>(bytes: u64, contents: u32, read: impl FnOnce() -> T) -> T {
    let _outer = Restored(&BUDGET, BUDGET.replace(Some(Budget { bytes, contents, is_spent: false, is_cut: false })));
    CLAIMED.take();
    read()
}

/// Returns whether a further structure may be read.
pub fn may_go_on() -> bool {
    let Some(budget) = BUDGET.get() else { return true };
    let is_spent = budget.bytes == 0;
    BUDGET.set(Some(Budget { is_spent: budget.is_spent || is_spent, ..budget }));
    !is_spent
}

/// Takes a structure of this many bytes off the budget.
pub fn debit(bytes: u64) {
    if let Some(budget) = BUDGET.get() {
        BUDGET.set(Some(Budget { bytes: budget.bytes.saturating_sub(bytes.max(1)), ..budget }));
    }
}

/// The bytes that the next content may have; `None` if no further one may be read.
pub fn room_for_content() -> Option<u64> {
    let Some(budget) = BUDGET.get() else { return Some(LEAST_READ) };
    (budget.bytes > 0 && budget.contents > 0).then_some(budget.bytes)
}

/// Takes a content of this many bytes off the budget.
pub fn debit_content(bytes: u64) {
    debit(bytes);
    BUDGET.set(BUDGET.get().map(|budget| Budget { contents: budget.contents.saturating_sub(1), ..budget }));
}

/// Notes that the map has no room for a structure.
pub fn cut() {
    BUDGET.set(BUDGET.get().map(|budget| Budget { is_cut: true, ..budget }));
}

/// Returns whether structures were not read, since the budget was spent.
pub fn is_spent() -> bool {
    BUDGET.get().is_some_and(|budget| budget.is_spent)
}

/// Returns whether the map has no room for structures that were read.
pub fn is_cut() -> bool {
    BUDGET.get().is_some_and(|budget| budget.is_cut)
}

/// Notes the bytes of a structure that gets no node.
pub fn claim(bytes: Range<u64>) {
    CLAIMED.with_borrow_mut(|claimed| claimed.push(bytes));
}

/// The number of structures that got no node.
pub fn claims() -> usize {
    CLAIMED.with_borrow(Vec::len)
}

/// The bytes of the structures that got no node.
pub fn take_claims() -> Vec<Range<u64>> {
    CLAIMED.take()
}

/// The number of structures at offsets around what is being read. The limits of readers of a lower number do not hold.
#[inline]
pub fn level() -> u32 {
    LEVEL.get()
}

/// Runs `read` for a structure at an offset, past the limits of the structures around it.
pub fn past_limits<T>(read: impl FnOnce() -> T) -> T {
    let level = LEVEL.get();
    let _outer = (Restored(&LEVEL, level), pieces::set_aside());
    LEVEL.set(level + 1);
    read()
}
