//! The allocator that records failed allocations, and the handler of the abort.
//!
//! Rust does not tell a program that an allocation failed: the standard library aborts. But it does so in the thread
//! that allocated, soon after. So the allocator notes a failure in a thread-local, and the handler of `SIGABRT` checks
//! whether this thread has allocated much since. If not, the failure caused the abort, and the process ends with the
//! sentence and the status of the program. A thread that went on allocating has handled the failure, and a later abort
//! has another cause.
//!
//! The handler itself allocates nothing: it writes constant bytes, calls `tidy`, and exits without running destructors.

#![allow(unsafe_code, reason = "neither an allocator nor a handler of a signal can be written without")]

use crate::answer::Answer;
use libc::{SIG_DFL, SIGABRT, STDERR_FILENO, c_int};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The answer of the program, for the handler.
static ANSWER: OnceLock<Answer> = OnceLock::new();

thread_local! {
    /// The number of successful allocations in this thread since one failed: at most [`MANY`], which is also the
    /// initial value.
    static GRANTED: Cell<u8> = const { Cell::new(MANY) };
    /// Set in the thread that ends the process.
    static ENDS: Cell<bool> = const { Cell::new(false) };
}

/// The number of successful allocations after which a thread is considered to have handled the failure. The standard library makes a few
/// between the failure and the end: it formats the message of a panic, and reads the environment for backtraces.
const MANY: u8 = 32;

/// Set once an allocation failed, if a backtrace is printed before an abort, because that allocates many times.
static WAS_REFUSED: AtomicBool = AtomicBool::new(false);
static PRINTS_BACKTRACES: AtomicBool = AtomicBool::new(false);

/// Set while the last panic is from a thread whose allocation just failed.
static IS_PANIC_OF_REFUSAL: AtomicBool = AtomicBool::new(false);

/// Set once a thread ends the process.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// An allocator that records failed allocations.
#[derive(Debug)]
pub struct Noting<A = System>(pub A);

#[inline]
fn noted(place: *mut u8) -> *mut u8 {
    let granted = GRANTED.get();
    if place.is_null() {
        GRANTED.set(0);
        WAS_REFUSED.store(true, Ordering::Relaxed);
    } else if granted < MANY {
        GRANTED.set(granted + 1);
    }
    place
}

/// Returns whether this thread has allocated little since an allocation failed.
fn is_refused() -> bool {
    GRANTED.get() < MANY
}

// SAFETY: every call is passed on to another allocator unchanged.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Noting<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller guarantees what the other allocator requires.
        noted(unsafe { self.0.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        noted(unsafe { self.0.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { self.0.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        noted(unsafe { self.0.realloc(place, layout, size) })
    }
}

/// Runs a program and returns its exit status. An abort or a panic that follows a failed allocation ends the process as
/// `answer` specifies. Any other abort or panic has its usual effect.
pub fn answering(answer: Answer, program: impl FnOnce() -> u8) -> u8 {
    let _ = ANSWER.set(answer);
    let prints = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    PRINTS_BACKTRACES.store(prints, Ordering::Relaxed);
    answer_aborts();
    note_panics();
    // Libraries that request memory in their own way, such as zlib-rs, panic if it is refused.
    catch_unwind(AssertUnwindSafe(program)).unwrap_or_else(|panic| {
        if IS_PANIC_OF_REFUSAL.load(Ordering::Relaxed) {
            end(answer);
        }
        resume_unwind(panic)
    })
}

/// Records panics: a hook runs in the thread that panics.
fn note_panics() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        IS_PANIC_OF_REFUSAL.store(is_refused(), Ordering::Relaxed);
        before(info);
    }));
}

fn answer_aborts() {
    let handler: extern "C" fn(c_int) = on_abort;
    // SAFETY: zeros are a valid `sigaction`, without flags and masked signals. The handler has the type of one without flags.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as libc::sighandler_t;
        libc::sigaction(SIGABRT, &raw const action, ptr::null_mut());
    }
}

/// Rust aborts at the failed allocation, in the thread that made it, and not inside the allocator. So the handler may
/// do anything that the code there may. If another allocation fails, the handler runs again.
extern "C" fn on_abort(_: c_int) {
    let is_refused = is_refused()
        || ENDS.get()
        || (PRINTS_BACKTRACES.load(Ordering::Relaxed) && WAS_REFUSED.load(Ordering::Relaxed));
    match ANSWER.get().filter(|_| is_refused) {
        Some(answer) => end(*answer),
        None => {
            // SAFETY: both functions may be called in a handler. The signal ends the process once this handler has returned.
            unsafe {
                libc::signal(SIGABRT, SIG_DFL);
                libc::raise(SIGABRT);
            }
        }
    }
}

/// Ends the process.
fn end(answer: Answer) -> ! {
    if IS_ENDING.swap(true, Ordering::SeqCst) && !ENDS.get() {
        loop {
            // SAFETY: it may be called in a handler. Another thread is about to end the process.
            unsafe { libc::pause() };
        }
    }
    if !ENDS.replace(true) {
        let Answer { sentence, tidy, .. } = answer;
        // SAFETY: it may be called in a handler, and the bytes are valid.
        unsafe { libc::write(STDERR_FILENO, sentence.as_ptr().cast(), sentence.len()) };
        tidy();
    }
    // SAFETY: it may be called in a handler.
    unsafe { libc::_exit(answer.status.into()) }
}
