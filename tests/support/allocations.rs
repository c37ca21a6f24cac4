//! Counts what this thread allocates, so that tests can say how much a file may cost.

#![allow(unsafe_code, reason = "an allocator cannot be written without; it only counts, and passes on to the system's")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Bytes that are allocated now, and the most that were, since `peak_of` began.
    static COUNTS: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

fn count(change: isize) {
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

/// What `work` gives, and the most bytes that it had allocated on this thread at one time.
pub fn peak_of<T>(work: impl FnOnce() -> T) -> (T, u64) {
    COUNTS.set((0, 0));
    let result = work();
    let (_, most) = COUNTS.get();
    (result, most as u64)
}
