//! Structures at offsets in the file: how many bytes of them are read and how limits apply.
//!
//! Several offsets may point to the same bytes, so a file of a few kilobytes could make a reader read them millions of times, and
//! packed content can be a thousand times longer than its bytes. So all structures at offsets, and all contents, share a budget in
//! proportion to the length of the file ([`Limits::bytes`](crate::Limits::bytes)), with a minimum for small files. Once it is
//! spent, the next structure is refused with the finding `limit`, and time and memory stay proportional to the file.
//!
//! The budget is a thread-local variable, because parsers have no argument for it. The outermost reader sets the
//! budget, and nested readers draw from it.

use crate::budget::{Budget, Cost};
use crate::pieces;
use std::cell::{Cell, RefCell};
use std::ops::Range;

/// The bytes of structures at offsets may add up to this multiple of the length of their space, unless the limits
/// specify a different one.
pub const MOST_READ: u64 = 4;

/// The number of bytes that may be read even for the smallest file.
const LEAST_READ: u64 = 64 << 10;

/// The default limit on the number of contents in a file.
pub const MOST_CONTENTS: u32 = 1 << 12;

/// The budget for reading further structures, and whether any were left out. It is a thread-local variable, because the
/// parser of a field has no argument for it.
#[derive(Debug)]
struct State {
    budget: Budget,
    /// True if some structures were not read.
    is_spent: bool,
    /// True if the map had no room for some structures that were read.
    is_cut: bool,
}

thread_local! {
    static STATE: RefCell<Option<State>> = const { RefCell::new(None) };
    /// The current nesting of structures at offsets.
    static LEVEL: Cell<u32> = const { Cell::new(0) };
    /// The bytes of structures at offsets that are not in a map.
    static CLAIMED: RefCell<Vec<Range<u64>>> = const { RefCell::new(Vec::new()) };
}

/// Restores the level on drop, even in a panic.
struct Level(u32);

impl Drop for Level {
    fn drop(&mut self) {
        LEVEL.set(self.0);
    }
}

/// Restores the state on drop, even in a panic.
struct Outer(Option<State>);

impl Drop for Outer {
    fn drop(&mut self) {
        STATE.set(self.0.take());
    }
}

/// Returns the budget for a space of this length, whose bytes may be read `times` times, with at most this many contents.
pub fn budget(length: u64, times: u64, contents: u32) -> Budget {
    let bytes = length.saturating_mul(times).max(LEAST_READ);
    Budget::until(None).grant(Cost::Work, bytes).grant(Cost::Contents, contents.into())
}

/// Runs `read` with a budget for a space of this length, unless there already is one.
pub fn bounded<T>(length: u64, read: impl FnOnce() -> T) -> T {
    match STATE.with_borrow(Option::is_some) {
        true => read(),
        false => within(budget(length, MOST_READ, MOST_CONTENTS), read),
    }
}

/// Runs `read` with its own budget.
pub fn within<T>(budget: Budget, read: impl FnOnce() -> T) -> T {
    let _outer = Outer(STATE.replace(Some(State { budget, is_spent: false, is_cut: false })));
    CLAIMED.take();
    read()
}

/// Accesses the state; `None` if there is no state.
fn with<T>(look: impl FnOnce(&mut State) -> T) -> Option<T> {
    STATE.with_borrow_mut(|state| state.as_mut().map(look))
}

/// Returns whether another structure may be read.
pub fn may_go_on() -> bool {
    let has_room = with(|state| {
        let has_room = state.budget.has_room();
        state.is_spent |= !has_room;
        has_room
    });
    has_room.unwrap_or(true)
}

/// Deducts a structure of this many bytes from the budget.
pub fn debit(bytes: u64) {
    with(|state| state.budget.debit(bytes));
}

/// The maximum length of the next content; `None` if no further content may be read.
pub fn room_for_content() -> Option<u64> {
    let room = with(|state| Some(state.budget.left(Cost::Work)).filter(|_| state.budget.has_space()));
    room.unwrap_or(Some(LEAST_READ))
}

/// The maximum length of content whose end is unknown. Without a budget, only the file limits it.
pub fn content_limit() -> u64 {
    with(|state| state.budget.left(Cost::Work)).unwrap_or(u64::MAX)
}

/// Deducts content of this many bytes from the budget.
pub fn debit_content(bytes: u64) {
    with(|state| {
        state.budget.debit(bytes);
        state.budget.debit_space();
    });
}

/// Records that the map has no room for a structure.
pub fn cut() {
    with(|state| state.is_cut = true);
}

/// Returns whether some structures were not read because the budget was spent.
pub fn is_spent() -> bool {
    with(|state| state.is_spent).unwrap_or(false)
}

/// Returns whether the map had no room for some structures that were read.
pub fn is_cut() -> bool {
    with(|state| state.is_cut).unwrap_or(false)
}

/// Records the bytes of a structure that has no node.
pub fn claim(bytes: Range<u64>) {
    CLAIMED.with_borrow_mut(|claimed| claimed.push(bytes));
}

/// The number of structures without nodes.
pub fn claims() -> usize {
    CLAIMED.with_borrow(Vec::len)
}

/// Takes the bytes of the structures without nodes.
pub fn take_claims() -> Vec<Range<u64>> {
    CLAIMED.take()
}

/// The number of structures at offsets that enclose the current one. Limits that were set at a lower level do not apply.
#[inline]
pub fn level() -> u32 {
    LEVEL.get()
}

/// Runs `read` for a structure at an offset, outside the limits of the enclosing structures.
pub fn past_limits<T>(read: impl FnOnce() -> T) -> T {
    let level = LEVEL.get();
    let _outer = (Level(level), pieces::set_aside());
    LEVEL.set(level + 1);
    read()
}
