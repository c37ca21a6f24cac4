//! The work on the fields that this thread reads, beside reading them. Fields without any cost one look.

use std::cell::Cell;

/// They get nodes.
pub const RECORDED: u8 = 1;
/// Violations in them are kept.
pub const JUDGED: u8 = 2;
/// It matters only that something is wrong with them.
pub const GLANCED_AT: u8 = 4;
/// They are read by a parser that may leave bytes out.
pub const TRACKED: u8 = 8;
/// They get no nodes, though those around them do.
pub const PAUSED: u8 = 32;
/// Their bytes are made up.
#[cfg(feature = "arbitrary")]
pub const MADE_UP: u8 = 16;

thread_local! {
    static MODE: Cell<u8> = const { Cell::new(0) };
}

/// Returns whether one of these things happens.
#[inline]
pub fn has(any: u8) -> bool {
    MODE.get() & any != 0
}

/// Those of these things that happen.
pub fn of(all: u8) -> u8 {
    MODE.get() & all
}

/// The mode before. It is restored on drop, even in a panic.
#[must_use]
pub struct Before(u8);

impl Drop for Before {
    fn drop(&mut self) {
        MODE.set(self.0);
    }
}

/// Adds to the mode.
pub fn with(added: u8) -> Before {
    Before(MODE.replace(MODE.get() | added))
}

/// Takes from the mode.
pub fn without(taken: u8) -> Before {
    Before(MODE.replace(MODE.get() & !taken))
}

/// Sets the mode.
pub fn only(mode: u8) -> Before {
    Before(MODE.replace(mode))
}
