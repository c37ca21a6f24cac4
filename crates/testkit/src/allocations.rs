//! Counts the allocations of one thread or of all threads, so that tests can bound the cost of a file.
//!
//! A test that reads a hostile file within 64 MiB proves nothing if the reader allocated 10 GiB in between and the
//! machine had enough memory. So the allocator counts. Counting per thread is cheap and always on; counting for all
//! threads is expensive, and is turned on where it is needed.

#![allow(unsafe_code, reason = "an allocator cannot be written without; it only counts, and passes on to the system's")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};

thread_local! {
    /// The currently allocated bytes, and their maximum, since `peak_of` began.
    static COUNTS: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

/// The bytes currently allocated by all threads since `peak_of_all` began, and their maximum at one time. They are
/// counted only while it runs, because threads that share a counter slow each other down.
static ALL_COUNT: AtomicBool = AtomicBool::new(false);
static NOW: AtomicIsize = AtomicIsize::new(0);
static MOST: AtomicIsize = AtomicIsize::new(0);
static TOTAL: AtomicIsize = AtomicIsize::new(0);

fn count(change: isize) {
    if ALL_COUNT.load(Ordering::Relaxed) {
        let now = NOW.fetch_add(change, Ordering::Relaxed) + change;
        MOST.fetch_max(now, Ordering::Relaxed);
        TOTAL.fetch_add(change.max(0), Ordering::Relaxed);
    }
    let add = |counts: &Cell<(isize, isize)>| {
        let (now, most) = counts.get();
        counts.set((now + change, most.max(now + change)));
    };
    // A thread that is ending is no longer counted.
    let _ = COUNTS.try_with(add);
}

struct Counting;

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller guarantees what the system's allocator requires.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The result of `work`, and the maximum number of bytes that it had allocated on this thread at one time.
pub fn peak_of<T>(work: impl FnOnce() -> T) -> (T, u64) {
    COUNTS.set((0, 0));
    let result = work();
    let (_, most) = COUNTS.get();
    (result, most as u64)
}

/// The result of `work`, and the maximum number of bytes that all threads had allocated at one time beyond what they had
/// before. Tests that call this at the same time disturb each other.
pub fn peak_of_all<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let (result, [peak, _]) = all_of(work);
    (result, peak)
}

/// Like `peak_of_all`, but also returns the total number of allocated bytes, which reveals code that copies its input repeatedly.
pub fn all_of<T>(work: impl FnOnce() -> T) -> (T, [u64; 2]) {
    for count in [&NOW, &MOST, &TOTAL] {
        count.store(0, Ordering::Relaxed);
    }
    ALL_COUNT.store(true, Ordering::Relaxed);
    let result = work();
    ALL_COUNT.store(false, Ordering::Relaxed);
    (result, [&MOST, &TOTAL].map(|count| count.load(Ordering::Relaxed).max(0) as u64))
}
