//! Counts what is allocated, by one thread or by all, so that tests can say how much a file may cost.

#![allow(unsafe_code, reason = "an allocator cannot be written without; it only counts, and passes on to the system's")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};

thread_local! {
    /// Bytes that are allocated now, and the most that were, since `peak_of` began.
    static COUNTS: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

/// Bytes that all threads have allocated since `peak_of_all` began, and the most that they had at one time. They are
/// counted only while it works: threads that count in one place wait for each other.
static ALL_COUNT: AtomicBool = AtomicBool::new(false);
static NOW: AtomicIsize = AtomicIsize::new(0);
static MOST: AtomicIsize = AtomicIsize::new(0);

fn count(change: isize) {
    if ALL_COUNT.load(Ordering::Relaxed) {
        let now = NOW.fetch_add(change, Ordering::Relaxed) + change;
        MOST.fetch_max(now, Ordering::Relaxed);
    }
    let add = |counts: &Cell<(isize, isize)>| {
        let (now, most) = counts.get();
        counts.set((now + change, most.max(now + change)));
    };
    // A thread that is on its way out counts no more.
    let _ = COUNTS.try_with(add);
}

struct Counting;

// SAFETY: every call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promises are those that the system's allocator asks for.
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
/// before. Tests that ask for this at the same time disturb each other.
pub fn peak_of_all<T>(work: impl FnOnce() -> T) -> (T, u64) {
    NOW.store(0, Ordering::Relaxed);
    MOST.store(0, Ordering::Relaxed);
    ALL_COUNT.store(true, Ordering::Relaxed);
    let result = work();
    ALL_COUNT.store(false, Ordering::Relaxed);
    (result, MOST.load(Ordering::Relaxed).max(0) as u64)
}
