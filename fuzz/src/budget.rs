//! Memory: no file takes more than the limits allow. An allocator counts while a peak is looked for.

#![allow(unsafe_code, reason = "an allocator cannot be written without; it only counts, and passes on to the system's")]

use ndbytes::{Checker, Depth, File, Input, Limits, Options, Profile, info};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Set while [`peak_of`] runs: all other targets share the allocator, and are not to pay for it.
static COUNTS: AtomicBool = AtomicBool::new(false);

/// Bytes that were allocated and not freed since [`peak_of`] began, and the most of them.
static NOW: AtomicIsize = AtomicIsize::new(0);
static MOST: AtomicIsize = AtomicIsize::new(0);

/// The memory that the limits grant to a file, beyond its length.
const GRANTED: u64 = 1 << 20;

/// Room for what is not debited: buffers, and findings, whose number is bounded ([`Limits::memory`]).
const SLACK: u64 = 16 << 20;

/// An allocator that counts what all threads have.
struct Counting;

fn count(change: isize) {
    if !COUNTS.load(Ordering::Relaxed) {
        return;
    }
    let now = NOW.fetch_add(change, Ordering::Relaxed) + change;
    MOST.fetch_max(now, Ordering::Relaxed);
}

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

/// The maximum number of bytes that some work had allocated at one time, beyond those before.
fn peak_of<T>(work: impl FnOnce() -> T) -> u64 {
    NOW.store(0, Ordering::Relaxed);
    MOST.store(0, Ordering::Relaxed);
    COUNTS.store(true, Ordering::Relaxed);
    let result = work();
    COUNTS.store(false, Ordering::Relaxed);
    let peak = MOST.load(Ordering::Relaxed);
    drop(result);
    peak.max(0) as u64
}

/// Whatever is asked about a file, it takes no more than what is granted, its length, and the slack.
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
