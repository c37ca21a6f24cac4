//! Structures inside structures: a reader goes as deep as its stack has room.

use crate::error::Problem;
use binrw::BinResult;
use std::cell::Cell;

/// The depth that a reader may reach unless it is told otherwise.
pub const MOST_DEPTH: u32 = 64;

thread_local! {
    /// The structure that is being read, and the lists, options and boxes of structures in it, each inside the one before it.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static LIMIT: Cell<u32> = const { Cell::new(MOST_DEPTH) };
    /// True if the structures around this one were too deep once. No alternative of any of them is tried then: there may be two of
    /// each.
    static IS_EXCEEDED: Cell<bool> = const { Cell::new(false) };
}

/// A level that is being read. The level around it is restored on drop, even in a panic.
pub struct Level(u32);

impl Drop for Level {
    fn drop(&mut self) {
        DEPTH.set(self.0);
        if self.0 == 0 {
            start_over();
        }
    }
}

/// Begins a level: a structure, or what may hold a structure of the type that it stands in.
///
/// # Errors
/// If it is too deep.
#[inline]
pub fn enter() -> Result<Level, Problem> {
    let depth = DEPTH.get();
    // The first level is the structure itself.
    if depth > LIMIT.get() { Err(exceeded()) } else { Ok(Level(DEPTH.replace(depth + 1))) }
}

/// Reads a structure.
pub fn deeper<T>(read: impl FnOnce() -> BinResult<T>) -> BinResult<T> {
    let _level = enter().map_err(error)?;
    read()
}

/// Refuses another alternative of structures that were too deep.
///
/// # Errors
/// If they were.
#[inline]
pub fn ensure() -> BinResult<()> {
    if IS_EXCEEDED.get() { Err(error(exceeded())) } else { Ok(()) }
}

#[cold]
fn exceeded() -> Problem {
    IS_EXCEEDED.set(true);
    Problem::TooDeep { most: LIMIT.get() }
}

/// The error of a level that is too deep.
pub fn error(problem: Problem) -> binrw::Error {
    binrw::Error::Custom { pos: 0, err: Box::new(problem) }
}

/// Forgets that structures were too deep: they are read once more.
pub fn start_over() {
    IS_EXCEEDED.set(false);
}

/// Runs `read` with another limit.
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
