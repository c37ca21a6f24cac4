//! Limits the nesting of structures to what fits on the stack, because a file may nest them to any depth.
//!
//! The readers that binrw generates are recursive. Without a limit, a few kilobytes of opening brackets would overflow
//! the stack, which aborts the process and cannot be caught. Only lists, options, boxes and custom parsers count as
//! levels, because nothing else can contain a value of the enclosing type.
//!
//! A level that is too deep is an error, and an enum reacts to an error by trying its next variant. With two variants
//! per level, 64 levels would be tried 2^64 times. `IS_EXCEEDED` therefore also stops the alternatives of all
//! enclosing levels.

use crate::error::Problem;
use binrw::BinResult;
use std::cell::Cell;

/// The default maximum depth of a reader.
pub const MOST_DEPTH: u32 = 64;

thread_local! {
    /// The current nesting of structures, and of lists, options and boxes of structures.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static LIMIT: Cell<u32> = const { Cell::new(MOST_DEPTH) };
    /// Whether the nesting limit was exceeded in the enclosing structures. If so, no more alternatives are tried in any of them,
    /// because two per level would take exponential time.
    static IS_EXCEEDED: Cell<bool> = const { Cell::new(false) };
}

/// A level that is being read. The enclosing level is restored on drop, even in a panic.
pub struct Level(u32);

impl Drop for Level {
    fn drop(&mut self) {
        DEPTH.set(self.0);
        if self.0 == 0 {
            start_over();
        }
    }
}

/// Enters a level: a structure or anything that can contain a structure of the enclosing type.
///
/// # Errors
/// Fails if the level is too deep.
#[inline]
pub fn enter() -> Result<Level, Problem> {
    let depth = DEPTH.get();
    // The first level is the structure itself.
    if depth > LIMIT.get() { Err(exceeded()) } else { Ok(Level(DEPTH.replace(depth + 1))) }
}

/// Reads a structure one level deeper.
pub fn deeper<T>(read: impl FnOnce() -> BinResult<T>) -> BinResult<T> {
    let _level = enter().map_err(error)?;
    read()
}

/// Refuses further alternatives if structures were too deep.
///
/// # Errors
/// Fails if structures were too deep.
#[inline]
pub fn ensure() -> BinResult<()> {
    if IS_EXCEEDED.get() { Err(error(exceeded())) } else { Ok(()) }
}

/// Returns the problem for structures nested too deeply. No more alternatives are tried: two per level would take
/// exponential time.
#[cold]
fn exceeded() -> Problem {
    IS_EXCEEDED.set(true);
    Problem::TooDeep { most: LIMIT.get() }
}

/// The error for structures nested too deeply.
pub fn error(problem: Problem) -> binrw::Error {
    binrw::Error::Custom { pos: 0, err: Box::new(problem) }
}

/// Clears `IS_EXCEEDED` before structures are read a second time.
pub fn start_over() {
    IS_EXCEEDED.set(false);
}

/// Runs `read` with a different limit.
pub fn within<T>(most: u32, read: impl FnOnce() -> T) -> T {
    /// Restores the limit, even in a panic.
    struct Around(u32);
    impl Drop for Around {
        fn drop(&mut self) {
            LIMIT.set(self.0);
        }
    }
    let _around = Around(LIMIT.replace(most));
    read()
}
