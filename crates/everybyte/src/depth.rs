//! Structures inside structures: a reader goes as deep as its stack has room.

use crate::error::Problem;
use binrw::BinResult;
use std::cell::Cell;

/// The depth that a reader may reach unless it is told otherwise.
pub const MOST_DEPTH: u32 = 64;

thread_local! {
    /// Lists, options and boxes of structures that are being read, each inside the one before it.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static LIMIT: Cell<u32> = const { Cell::new(MOST_DEPTH) };
}

/// Reads what may hold a structure of the type that it stands in.
pub fn deeper<T>(read: impl FnOnce() -> BinResult<T>) -> BinResult<T> {
    /// Restores the depth, even in a panic.
    struct Around(u32);
    impl Drop for Around {
        fn drop(&mut self) {
            DEPTH.set(self.0);
        }
    }
    let (depth, most) = (DEPTH.get(), LIMIT.get());
    if depth >= most {
        return Err(binrw::Error::Custom { pos: 0, err: Box::new(Problem::TooDeep { most }) });
    }
    let _around = Around(DEPTH.replace(depth + 1));
    read()
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
