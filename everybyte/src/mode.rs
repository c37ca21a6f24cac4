//! The observers of this thread's reads, as bit flags. A read without observers costs one check of these flags.
//!
//! Observers can be nested: a map may need a value from a file of another format, which is read by the same thread.
//! Each guard restores the previous flags when it is dropped, even in a panic.

use std::cell::Cell;

/// Fields get nodes.
pub const RECORDED: u8 = 1;
/// Violations are recorded.
pub const JUDGED: u8 = 2;
/// The caller only needs to know whether anything is wrong.
pub const PEEKED_AT: u8 = 4;
/// The parser may leave bytes out.
pub const TRACKED: u8 = 8;
/// Fields get no nodes, although enclosing fields do.
pub const PAUSED: u8 = 32;
/// Bytes are generated.
#[cfg(feature = "arbitrary")]
pub const MADE_UP: u8 = 16;

thread_local! {
    static MODE: Cell<u8> = const { Cell::new(0) };
}

/// Returns whether one of these activities is in progress.
#[inline]
pub fn has(any: u8) -> bool {
    MODE.get() & any != 0
}

/// Returns which of these activities are in progress.
pub fn of(all: u8) -> u8 {
    MODE.get() & all
}

/// The previous mode. It is restored on drop, even in a panic.
#[must_use]
pub struct Before(u8);

impl Drop for Before {
    fn drop(&mut self) {
        MODE.set(self.0);
    }
}

/// Adds flags to the mode.
pub fn with(added: u8) -> Before {
    Before(MODE.replace(MODE.get() | added))
}

/// Removes flags from the mode.
pub fn without(taken: u8) -> Before {
    Before(MODE.replace(MODE.get() & !taken))
}

/// Sets the mode.
pub fn only(mode: u8) -> Before {
    Before(MODE.replace(mode))
}
