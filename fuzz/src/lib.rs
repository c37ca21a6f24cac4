//! What the fuzz targets ask of ndbytes. Every module states its promises as assertions: a broken one is a crash.

pub mod archives;
pub mod arrangement;
pub mod arrow;
pub mod b2nd;
mod blosclz;
pub mod budget;
pub mod bytes;
mod c_stream;
mod convert;
pub mod diff;
pub mod idv;
pub mod idx;
mod inflate;
pub mod layout;
mod lz4;
pub mod npy;
mod panics;
mod random;
pub mod rawarray;
pub mod rawarray_crate;
mod reading;
mod scratch;
pub mod share;
pub mod slices;
mod statistics;
pub mod streaming;
mod tables;
pub mod targets;
pub mod textconv;
pub mod threads;
pub mod tool;
pub mod writer;

use ndbytes::Limits;
use rayon::ThreadPoolBuilder;
use std::sync::Once;

/// What any input may cost: far less than what the sanitizer is told to refuse (`common.sh`).
pub fn limits() -> Limits {
    Limits::default().memory(16 << 20)
}

/// Runs something in which the library does in turn what it would do side by side, lest what a shared budget comes to
/// hang on the weather. The calling thread becomes the only one of the pool: nothing is handed over for an execution.
pub fn in_turn<T>(run: impl FnOnce() -> T) -> T {
    static POOL: Once = Once::new();
    POOL.call_once(|| {
        let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread();
        pool.build_global().expect("nothing made a pool before");
    });
    run()
}
