//! Structures inside structures: a reader goes as deep as its stack has room.

use crate::error::Problem;
use crate::recorder;
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

/// Reads a structure, or what may hold a structure of the type that it stands in.
pub fn deeper<T>(read: impl FnOnce() -> BinResult<T>) -> BinResult<T> {
    /// Restores the depth, even in a panic.
    struct Around(u32);
    impl Drop for Around {
        fn drop(&mut self) {
            DEPTH.set(self.0);
            if self.0 == 0 {
                start_over();
            }
        }
    }
    let depth = DEPTH.get();
    // The first level is the structure itself.
    if depth > LIMIT.get() {
        return Err(too_deep());
    }
    let _around = Around(DEPTH.replace(depth + 1));
    read()
}

/// Refuses another alternative of structures that were too deep.
#[inline]
pub fn ensure() -> BinResult<()> {
    if IS_EXCEEDED.get() { Err(too_deep()) } else { Ok(()) }
}

#[cold]
fn too_deep() -> binrw::Error {
    IS_EXCEEDED.set(true);
    let problem = Problem::TooDeep { most: LIMIT.get() };
    // An alternative without a node drops its error.
    recorder::note(None, &problem);
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
