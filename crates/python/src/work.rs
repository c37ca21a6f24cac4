//! Runs long tasks on threads of this process, without the interpreter's lock.

use ndbytes::threads::pool;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::ThreadPool;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process;
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

/// How often a waiting thread checks for signals, such as Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(50);

/// The threads of one process. A forked process has the memory of its parent, but none of the parent's threads: work passed to these would
/// never end. So each process creates its own, and does not touch those of its parent.
struct Threads {
    process: u32,
    pool: ThreadPool,
    /// The threads of a forked process.
    of_child: OnceLock<Box<Threads>>,
}

static THREADS: OnceLock<Box<Threads>> = OnceLock::new();

/// Returns the threads of this process: one per processor, or as many as `RAYON_NUM_THREADS` says.
fn threads() -> PyResult<&'static ThreadPool> {
    let process = process::id();
    let mut place = &THREADS;
    while let Some(threads) = place.get() {
        if threads.process == process {
            return Ok(&threads.pool);
        }
        place = &threads.of_child;
    }
    let pool = pool("ndbytes").map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))?;
    // Another thread may have been faster; its threads also work.
    let _ = place.set(Box::new(Threads { process, pool, of_child: OnceLock::new() }));
    Ok(&place.get().expect("it was set").pool)
}

/// Runs a task on the threads of this process. Meanwhile, other threads of the interpreter can run.
///
/// A signal, such as Ctrl-C, ends the wait with its handler's exception. The task then runs to its end, and its result is dropped.
pub fn work<T: Send + 'static>(py: Python<'_>, work: impl FnOnce() -> T + Send + 'static) -> PyResult<T> {
    let (sender, mut receiver) = sync_channel::<Result<T, Box<dyn Any + Send>>>(1);
    threads()?.spawn(move || {
        let result = catch_unwind(AssertUnwindSafe(work));
        // Nobody waits any more after a signal.
        let _ = sender.send(result);
    });
    loop {
        let received;
        (receiver, received) = py.detach(move || {
            let received = receiver.recv_timeout(PATIENCE);
            (receiver, received)
        });
        match received {
            Ok(Ok(result)) => return Ok(result),
            // It becomes `pyo3_runtime.PanicException`.
            Ok(Err(panic)) => resume_unwind(panic),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the work ended without a result"));
            }
        }
    }
}

/// Runs a task on the threads of this process, and waits for it. The interpreter's lock must not be held.
pub fn within<T: Send>(work: impl FnOnce() -> T + Send) -> PyResult<T> {
    Ok(threads()?.install(work))
}
