//! The threads that work side by side: as many as the system gives.
//!
//! Work is shared among the threads of the current rayon pool. Where nobody made one, rayon makes its own at the first
//! use. It panics if the system refuses a thread, as it does in a container with a limit of processes. So whatever
//! works side by side calls [`ready`] before.

use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};
use std::env;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, available_parallelism};

/// The variable that chooses the number of threads.
const NUMBER: &str = "RAYON_NUM_THREADS";

/// True once rayon's pool of the process has threads.
static IS_SHARED: AtomicBool = AtomicBool::new(false);

/// Makes the threads of the process that work side by side, unless the caller is one of a pool. Where the system gives none,
/// the calling thread does all work by itself.
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
            // If somebody has made the pool already, that one serves.
            let builder = ThreadPoolBuilder::new().num_threads(waiting.len());
            let _ = builder.spawn_handler(handing(waiting)).build_global();
            IS_SHARED.store(true, Ordering::Release);
        }
        Err(_) => {
            drop(making);
            // The pool of the calling thread alone lives as long as the process.
            let alone = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
            std::mem::forget(alone);
        }
    }
}

/// The number of threads that work side by side.
pub(crate) fn number() -> usize {
    ready();
    rayon::current_num_threads()
}

/// A pool of its own. Its threads are called `name-0` and so on. Their number is that of the processors, or what
/// `RAYON_NUM_THREADS` says, or as many as the system gives.
///
/// # Errors
/// That of the system, if it gives no thread.
pub fn pool(name: &str) -> io::Result<ThreadPool> {
    let waiting = spawned(name)?;
    let builder = ThreadPoolBuilder::new().num_threads(waiting.len());
    builder.spawn_handler(handing(waiting)).build().map_err(io::Error::other)
}

/// The way to a thread that waits for its place in a pool.
type Waiting = SyncSender<ThreadBuilder>;

/// Makes threads until the system refuses one.
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

/// Gives each place of a pool to a thread that waits for one.
fn handing(waiting: Vec<Waiting>) -> impl FnMut(ThreadBuilder) -> io::Result<()> {
    move |thread| {
        let place = &waiting[thread.index()];
        place.send(thread).map_err(|_| io::Error::other("a thread has ended before its work"))
    }
}
