//! Memory that the system refuses. Rust's collections end a process by an abort then. The tool says a sentence first, removes what
//! it has begun, and ends with status 2.

#![allow(unsafe_code, reason = "neither an allocator nor a handler of a signal can be written without")]

use libc::{SIG_DFL, SIGABRT, STDERR_FILENO, c_int};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

/// The words after those of the standard library, which name the size of the request.
const SENTENCE: &str = "error: the system granted no more memory; a lower `--max-memory` refuses a file before that\n";

/// The status of a path that cannot be read.
const UNREADABLE: c_int = 2;

/// Set once a request was refused. The abort does not follow at once: the standard library may print a backtrace before.
static IS_REFUSED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Set in the thread that ends the process.
    static ENDS: Cell<bool> = const { Cell::new(false) };
}

/// Set once a thread ends the process.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// An allocator that notes that a request was refused.
#[derive(Debug)]
pub struct Noting<A = System>(pub A);

fn noted(place: *mut u8) -> *mut u8 {
    if place.is_null() {
        IS_REFUSED.store(true, Ordering::Relaxed);
    }
    place
}

// SAFETY: every call is passed on to another allocator as it is.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Noting<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those that the other allocator asks for.
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

/// Runs the tool, and returns its status. An abort or a panic after a refused request ends the process as the module says. Any other
/// one is what it was.
pub fn answering(tool: impl FnOnce() -> u8) -> u8 {
    answer_aborts();
    // Libraries that ask for memory in parts of their own, such as zlib-rs, panic where a part is refused.
    catch_unwind(AssertUnwindSafe(tool)).unwrap_or_else(|panic| {
        if IS_REFUSED.load(Ordering::Relaxed) {
            end();
        }
        resume_unwind(panic)
    })
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

/// Rust aborts where a request was refused, and not inside of the allocator. So the handler may do what the code there may, but
/// another request may be refused, too: it comes back here.
extern "C" fn on_abort(_: c_int) {
    if !IS_REFUSED.load(Ordering::Relaxed) {
        // SAFETY: both functions may be called in a handler. The signal ends the process once this handler has returned.
        unsafe {
            libc::signal(SIGABRT, SIG_DFL);
            libc::raise(SIGABRT);
        }
        return;
    }
    end();
}

/// Ends the process.
fn end() -> ! {
    if IS_ENDING.swap(true, Ordering::SeqCst) && !ENDS.get() {
        loop {
            // SAFETY: it may be called in a handler. Another thread is about to end the process.
            unsafe { libc::pause() };
        }
    }
    if !ENDS.replace(true) {
        // SAFETY: it may be called in a handler, and the bytes are there.
        unsafe { libc::write(STDERR_FILENO, SENTENCE.as_ptr().cast(), SENTENCE.len()) };
        ndbytes::remove_unfinished();
    }
    // SAFETY: it may be called in a handler.
    unsafe { libc::_exit(UNREADABLE) }
}
