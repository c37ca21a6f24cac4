//! The limits of an input, and the threads that work on it.

use ndbytes::Limits;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{LazyLock, Once};

/// The limits of any input: far less than what the sanitizer is told to refuse (`common.sh`).
pub fn limits() -> Limits {
    Limits::default().memory(16 << 20)
}

/// Runs something in which the library does in turn what it would do side by side. So the result of a shared budget
/// does not depend on chance. The calling thread becomes the only one of the pool: nothing is handed over for an
/// execution.
pub fn in_turn<T>(run: impl FnOnce() -> T) -> T {
    static POOL: Once = Once::new();
    POOL.call_once(|| {
        let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        pool.build_global().expect("nothing made a pool before");
    });
    run()
}

/// Runs something in which the library does side by side what it does in turn elsewhere, on three threads whatever the machine
/// has.
pub fn side_by_side<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    static POOL: LazyLock<ThreadPool> =
        LazyLock::new(|| ThreadPoolBuilder::new().num_threads(3).build().expect("three threads can be had"));
    POOL.install(run)
}
