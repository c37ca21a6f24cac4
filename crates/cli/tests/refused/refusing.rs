//! An allocator that refuses requests by number.

#![allow(unsafe_code, reason = "an allocator cannot be written without; it refuses, or passes on to the system's")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The variable with the number of the request to refuse, or 0 for none; `+` also refuses all later requests.
pub const REFUSES: &str = "NDBYTES_REFUSES";

/// The variable with the path of a file for the total number of requests.
pub const COUNT: &str = "NDBYTES_REQUESTS";

/// The number of requests of all threads since [`begin`].
static REQUESTS: AtomicU64 = AtomicU64::new(0);

/// The first refused request and the first granted one after it.
static FIRST: AtomicU64 = AtomicU64::new(u64::MAX);
static NEXT: AtomicU64 = AtomicU64::new(u64::MAX);

/// Set while requests are counted.
static COUNTS: AtomicBool = AtomicBool::new(false);

/// Passes requests on to the system's allocator unless it refuses them.
pub struct Refusing;

fn is_refused() -> bool {
    if !COUNTS.load(Ordering::Relaxed) {
        return false;
    }
    let number = REQUESTS.fetch_add(1, Ordering::Relaxed) + 1;
    (FIRST.load(Ordering::Relaxed)..NEXT.load(Ordering::Relaxed)).contains(&number)
}

// SAFETY: a request is refused with NULL, or passed on unchanged.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller guarantees what the system's allocator requires.
        if is_refused() { ptr::null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        if is_refused() { ptr::null_mut() } else { unsafe { System.alloc_zeroed(layout) } }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Shrinking is never refused, because it can be done in place.
        if size > layout.size() && is_refused() {
            return ptr::null_mut();
        }
        // SAFETY: as above.
        unsafe { System.realloc(place, layout, size) }
    }
}

/// Starts counting and, according to the environment, refusing requests.
pub fn begin() {
    let refuses = std::env::var(REFUSES).expect("it is text");
    let first: u64 = refuses.trim_end_matches('+').parse().expect("it is a number");
    FIRST.store(if first == 0 { u64::MAX } else { first }, Ordering::Relaxed);
    NEXT.store(if refuses.ends_with('+') { u64::MAX } else { first + 1 }, Ordering::Relaxed);
    COUNTS.store(true, Ordering::Relaxed);
}

/// Stops counting and refusing, and writes the number of requests to the file named in the environment.
pub fn end() {
    COUNTS.store(false, Ordering::Relaxed);
    let path = std::env::var_os(COUNT).expect("the environment names a file");
    std::fs::write(path, REQUESTS.load(Ordering::Relaxed).to_string()).expect("the file can be written");
}
