//! The limits for an input, and the threads that work on it.

use ndbytes::Limits;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{LazyLock, Once};

/// The limits for any input, far below the limits of the sanitizer (`common.sh`).
pub fn limits() -> Limits {
    Limits::default().memory(16 << 20)
}

/// Runs a closure in which the library does parallel work sequentially, so that the result of a shared budget is
/// deterministic. The calling thread becomes the only one of the pool, so nothing is handed to another thread.
pub fn in_turn<T>(run: impl FnOnce() -> T) -> T {
    static POOL: Once = Once::new();
    POOL.call_once(|| {
        let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        pool.build_global().expect("nothing made a pool before");
    });
    run()
}

/// Runs a closure in which the library works in parallel, on three threads, whatever the machine has.
pub fn side_by_side<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    static POOL: LazyLock<ThreadPool> =
        LazyLock::new(|| ThreadPoolBuilder::new().num_threads(3).build().expect("three threads can be had"));
    POOL.install(run)
}
