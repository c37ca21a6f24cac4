//! What the fuzz targets ask of ndbytes. Every module states its promises as assertions: a broken one is a crash.

pub mod arrangement;
pub mod b2nd;
pub mod bytes;
pub mod diff;
pub mod idv;
pub mod idx;
pub mod layout;
pub mod npy;
mod random;
pub mod rawarray;
mod reading;
mod scratch;
pub mod textconv;
pub mod tool;

use ndbytes::Limits;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::LazyLock;

/// What any input may cost: far less than what the sanitizer is told to refuse (`run.sh`).
pub fn limits() -> Limits {
    Limits::default().memory(16 << 20)
}

/// Runs something in which the library does in turn what it would do side by side, lest what a shared budget comes to
/// hang on the weather.
pub fn in_turn<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    const STACK: usize = 8 << 20;
    static IN_TURN: LazyLock<ThreadPool> = LazyLock::new(|| {
        ThreadPoolBuilder::new().num_threads(1).stack_size(STACK).build().expect("a thread can be had")
    });
    IN_TURN.install(run)
}
