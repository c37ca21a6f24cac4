//! No file takes more memory than the limits allow. An allocator counts while a peak is measured.

#![allow(unsafe_code, reason = "an allocator cannot be written without; it only counts, and passes on to the system's")]

use ndbytes::{Checker, Depth, File, Input, Limits, Options, Profile, info};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Set while [`counted`] runs, since all other targets share the allocator and should not pay for counting.
static COUNTS: AtomicBool = AtomicBool::new(false);

/// The bytes allocated and not freed since [`counted`] began, and their peak.
static NOW: AtomicIsize = AtomicIsize::new(0);
static MOST: AtomicIsize = AtomicIsize::new(0);

/// The memory limit for a file, beyond its length.
const GRANTED: u64 = 1 << 20;

/// Room for memory that is not debited: buffers, and a bounded number of findings ([`Limits::memory`]).
const SLACK: u64 = 16 << 20;

/// An allocator that counts the memory of all threads.
struct Counting;

fn count(change: isize) {
    if !COUNTS.load(Ordering::Relaxed) {
        return;
    }
    let now = NOW.fetch_add(change, Ordering::Relaxed) + change;
    MOST.fetch_max(now, Ordering::Relaxed);
}

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

/// Returns the result of some work, and the maximum number of additional bytes that it had allocated at one time.
pub fn counted<T>(work: impl FnOnce() -> T) -> (T, u64) {
    NOW.store(0, Ordering::Relaxed);
    MOST.store(0, Ordering::Relaxed);
    COUNTS.store(true, Ordering::Relaxed);
    let result = work();
    COUNTS.store(false, Ordering::Relaxed);
    (result, MOST.load(Ordering::Relaxed).max(0) as u64)
}

/// Like `counted`, but returns only the number.
fn peak_of<T>(work: impl FnOnce() -> T) -> u64 {
    counted(work).1
}

/// Asserts that no question about a file takes more memory than the limit, its length, and the slack.
pub fn examine(bytes: &[u8]) {
    let limits = Limits::default().memory(GRANTED);
    let most = GRANTED + bytes.len() as u64 + SLACK;
    let ensure = |what: &str, peak: u64| assert!(peak <= most, "{what}: {peak} bytes of {most}");
    for profile in [Profile::Strict, Profile::Reference] {
        for depth in [Depth::Structure, Depth::Payload] {
            let checker = Checker::new().limits(limits).profile(profile).depth(depth);
            ensure("a check", peak_of(|| checker.check_slice(bytes)));
            ensure("a map", peak_of(|| checker.byte_map(Input::from_slice(bytes, limits))));
        }
    }
    ensure("a check of a stream", peak_of(|| Checker::new().limits(limits).check_reader(bytes)));
    ensure("a description", peak_of(|| info(Input::from_slice(bytes, limits), &limits)));
    let options = ndbytes::rules().fold(Options::new().limits(limits), Options::tolerate);
    ensure("an opened file", peak_of(|| options.from_slice(bytes)));
    match options.from_slice(bytes) {
        Ok(File::Array(array)) => ensure("items", peak_of(|| array.bytes().map(|bytes| bytes.len()))),
        Ok(File::Table(table)) => {
            for column in table.columns().take(16) {
                ensure("a column", peak_of(|| column.read()));
            }
        }
        _ => {}
    }
    if let Ok(File::Table(table)) = options.from_reader(bytes) {
        ensure("record batches", peak_of(|| crate::arrow::go_through(*table, limits)));
    }
}
