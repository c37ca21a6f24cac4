//! The threads for parallel work. There are as many as the system provides.
//!
//! Work is distributed over the threads of the current rayon pool. If there is none, rayon creates one on first use, and panics if
//! the system refuses a thread, for example in a container with a process limit. All parallel code therefore calls [`ready`] first.

use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};
use std::env;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, available_parallelism};

/// The environment variable that sets the number of threads.
const NUMBER: &str = "RAYON_NUM_THREADS";

/// True once the global rayon pool has threads.
static IS_SHARED: AtomicBool = AtomicBool::new(false);

/// Creates the worker threads of the process, unless the caller is already in a pool. If the system grants none, the calling thread does
/// all of the work.
pub fn ready() {
    static MAKING: Mutex<()> = Mutex::new(());
    if rayon::current_thread_index().is_some() || IS_SHARED.load(Ordering::Acquire) {
        return;
    }
    let making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    if IS_SHARED.load(Ordering::Acquire) {
        return;
    }
    match spawned("ndbytes") {
        Ok(waiting) => {
            // If a global pool already exists, it is used instead.
            let builder = ThreadPoolBuilder::new().num_threads(waiting.len());
            let _ = builder.spawn_handler(handing(waiting)).build_global();
            IS_SHARED.store(true, Ordering::Release);
        }
        Err(_) => {
            drop(making);
            // Only the calling thread joins the global pool, which lives as long as the process.
            let alone = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
            std::mem::forget(alone);
        }
    }
}

/// The number of threads that work in parallel.
pub fn number() -> usize {
    ready();
    rayon::current_num_threads()
}

/// A separate pool. Its threads are named `name-0` and so on. It has as many threads as `RAYON_NUM_THREADS` states or, by default,
/// as there are processors, but no more than the system grants.
///
/// # Errors
/// Any error from the system, if it grants no thread.
pub fn pool(name: &str) -> io::Result<ThreadPool> {
    let waiting = spawned(name)?;
    let builder = ThreadPoolBuilder::new().num_threads(waiting.len());
    builder.spawn_handler(handing(waiting)).build().map_err(io::Error::other)
}

/// The channel to a thread that waits for its place in a pool.
type Waiting = SyncSender<ThreadBuilder>;

/// Spawns threads until the system refuses one.
fn spawned(name: &str) -> io::Result<Vec<Waiting>> {
    let chosen = env::var(NUMBER).ok().and_then(|number| number.parse().ok()).filter(|&number| number > 0);
    let number = chosen.unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
    let mut waiting = Vec::new();
    for place in 0..number.min(rayon::max_num_threads()) {
        let (sender, receiver) = sync_channel::<ThreadBuilder>(1);
        let run = move || {
            if let Ok(thread) = receiver.recv() {
                thread.run();
            }
        };
        match thread::Builder::new().name(format!("{name}-{place}")).spawn(run) {
            Ok(_) => waiting.push(sender),
            Err(error) if waiting.is_empty() => return Err(error),
            Err(_) => break,
        }
    }
    Ok(waiting)
}

/// Assigns each place in a pool to a waiting thread.
fn handing(waiting: Vec<Waiting>) -> impl FnMut(ThreadBuilder) -> io::Result<()> {
    move |thread| {
        let place = &waiting[thread.index()];
        place.send(thread).map_err(|_| io::Error::other("a thread has ended before its work"))
    }
}
