//! The cached pages of a source. All requests to a source are made here.
//!
//! A round trip to a store takes about as long as transferring a mebibyte, so the number of requests determines the time. The first
//! request fetches the head and the tail of the file together, because some formats keep their directory at the end. After that:
//!
//! * A small read fetches whole pages of 16 KiB and keeps them. While a reader moves from page to page, more and more are read
//!   ahead.
//! * [`Paged::prepare`] accepts the ranges that a decoder will read next, and fetches neighbours in one request.
//! * A read of more than 1 MiB bypasses the cache, because it would only flush it.
//!
//! The cache takes at most a quarter of the memory limit and at most 16 MiB. That share is subtracted from the limit when the file is
//! opened ([`Paged::beside_pages`]), so pages need not be charged one by one. The bytes of a request in progress are charged.

pub mod scattered;

use super::limits::{Budget, Limits};
use super::memory::AlignedBytes;
use super::source::{ReadRanges, ask, ends_of};
use crate::error::Result;
use std::collections::BTreeSet;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of bytes at the end that are requested together with the head, because some formats have their directories there. It
/// is enough for the end of a zip archive with the longest comment.
const TAIL: u64 = (64 << 10) + 32;

/// The alignment of the tail. Its offsets in the file and in memory have equal remainders, so numbers are aligned as in a mapping.
const ALIGNED: u64 = 16;

/// The length of a page in bytes.
const PAGE: u64 = 16 << 10;

/// The number of bytes that are requested at once, depending on their position in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    pub head: u64,
    pub tail: u64,
    pub page: u64,
}

impl Sizes {
    /// Page sizes for a head of this length.
    pub fn with_head(head: u64) -> Self {
        Sizes { head, tail: TAIL, page: PAGE }
    }
}

/// The maximum number of pages that are kept.
const MOST_PAGES: u64 = 1 << 10;

/// The fraction of the memory limit that the pages may use.
const SHARE: u64 = 4;

/// The maximum number of bytes in a read that is cached.
const LARGE: u64 = 1 << 20;

/// The maximum distance between ranges that are joined into one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gap {
    /// Ranges are joined across gaps of up to 1 MiB, because most of the bytes are needed.
    Wide,
    /// Ranges are joined only if they share pages, because few of the bytes between them are needed.
    None,
}

impl Gap {
    /// The maximum gap between two ranges that are joined into one request. A request takes about as long as
    /// transferring a mebibyte.
    fn bytes(self) -> u64 {
        match self {
            Gap::Wide => 1 << 20,
            Gap::None => 0,
        }
    }
}

/// The maximum number of bytes that are requested at once.
const STEP: u64 = 16 << 20;

/// The maximum number of ranges that are requested at once.
const MOST_AT_ONCE: usize = 1 << 10;

/// The number of pages that are read ahead at first.
const FIRST_AHEAD: u64 = 4;

/// The maximum number of pages that are read ahead of a sequential reader.
const MOST_AHEAD: u64 = 128;

/// A source, its first and last bytes, and the recently read pages between them.
pub(crate) struct Paged {
    source: Box<dyn ReadRanges>,
    page: u64,
    pub length: u64,
    pub head: AlignedBytes,
    tail: AlignedBytes,
    /// The number of bytes before the tail that are only for alignment.
    before: usize,
    pages: Mutex<Pages>,
    /// The maximum number of cached pages.
    room: u64,
}

/// The cache of pages, which drops the least recently used one.
#[derive(Default)]
struct Pages {
    kept: HashMap<u64, Page>,
    /// Counts the uses of pages.
    clock: u64,
    /// The page after those that were read last.
    next: u64,
    /// The number of pages in the last read-ahead.
    ahead: u64,
}

/// A cached page.
struct Page {
    bytes: Box<[u8]>,
    used: u64,
}

/// A source while it is opened.
pub(crate) enum Opened {
    /// All bytes of a small file.
    Whole(AlignedBytes),
    Paged(Paged),
}

impl Paged {
    /// Requests the length and the first and last bytes, which is enough for a small file.
    pub fn open(source: Box<dyn ReadRanges>, limits: Limits, sizes: Sizes) -> Result<Opened> {
        let Sizes { head, tail, page } = sizes;
        let ends = ends_of(&source, head, tail)?;
        let length = ends.length;
        if length <= head + tail {
            let mut whole = ends.head;
            whole.extend_from_slice(&ends.tail[ends.tail.len() - (length as usize - whole.len())..]);
            return Ok(Opened::Whole(AlignedBytes::copy_of(&whole)?));
        }
        // Zeros before the tail align its numbers.
        let before = ((length - tail) % ALIGNED) as usize;
        let tail = [&[0; ALIGNED as usize][..before], &ends.tail[..]].concat();
        let (head, tail) = (AlignedBytes::copy_of(&ends.head)?, AlignedBytes::copy_of(&tail)?);
        let room = (most_kept(limits) / page).min(MOST_PAGES);
        Ok(Opened::Paged(Paged { source, page, length, head, tail, before, pages: Mutex::default(), room }))
    }

    /// The part of the limits that the pages leave for an input from the source. The length is only a claim, so it raises no limit.
    pub fn beside_pages(limits: Limits) -> Limits {
        limits.memory(limits.memory - most_kept(limits))
    }

    /// The bytes of a range that is completely in the head or the tail, which stay cached; otherwise `None`.
    pub fn held(&self, range: &Range<u64>) -> Option<&[u8]> {
        let (bytes, start) = match range.end <= self.head_end() {
            true => (self.head.as_slice(), 0),
            false => (self.tail(), self.tail_start()),
        };
        let place = usize::try_from(range.start.checked_sub(start)?).ok()?..usize::try_from(range.end - start).ok()?;
        bytes.get(place)
    }

    /// The last bytes of the file, fetched when it was opened.
    fn tail(&self) -> &[u8] {
        &self.tail.as_slice()[self.before..]
    }

    /// The end of the first bytes, which were fetched when the file was opened.
    fn head_end(&self) -> u64 {
        self.head.as_slice().len() as u64
    }

    /// The offset of the last bytes.
    fn tail_start(&self) -> u64 {
        self.length - self.tail().len() as u64
    }

    /// The number of pages between the head and the tail.
    fn count(&self) -> u64 {
        (self.tail_start() - self.head_end()).div_ceil(self.page)
    }

    /// The range of bytes of consecutive pages.
    fn place(&self, pages: &Range<u64>) -> Range<u64> {
        let start = |page: u64| page.saturating_mul(self.page).saturating_add(self.head_end()).min(self.tail_start());
        start(pages.start)..start(pages.end)
    }

    /// The pages that contain a range between the head and the tail.
    fn pages_of(&self, range: &Range<u64>) -> Range<u64> {
        (range.start - self.head_end()) / self.page..(range.end - self.head_end()).div_ceil(self.page)
    }

    /// The part of a range between the head and the tail.
    fn between(&self, range: &Range<u64>) -> Option<Range<u64>> {
        let part = range.start.max(self.head_end())..range.end.min(self.tail_start());
        (part.start < part.end).then_some(part)
    }

    /// The cache. A panic on another thread does not poison it: pages are complete or absent.
    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copies bytes within the file. Bytes that are not cached are requested.
    pub fn read(&self, buffer: &mut [u8], offset: u64, budget: &Budget) -> Result<()> {
        let wanted = offset..offset + buffer.len() as u64;
        copy_common(&wanted, buffer, 0, self.head.as_slice());
        copy_common(&wanted, buffer, self.tail_start(), self.tail());
        let Some(wanted) = self.between(&wanted) else { return Ok(()) };
        let buffer = &mut buffer[(wanted.start - offset) as usize..(wanted.end - offset) as usize];
        let missing = self.copy_kept(&wanted, buffer);
        if missing.is_empty() {
            return Ok(());
        }
        if wanted.end - wanted.start > LARGE || self.room == 0 {
            return self.read_past(&wanted, buffer, &missing, budget);
        }
        let runs = self.with_ahead(missing);
        let places: Vec<_> = runs.iter().map(|run| self.place(run)).collect();
        for (run, bytes) in self.ask(&places, budget)? {
            copy_common(&wanted, buffer, run.start, &bytes);
            self.keep(&run, &bytes, |_| true);
        }
        Ok(())
    }

    /// Copies the cached parts of a range and returns the runs of missing pages.
    fn copy_kept(&self, wanted: &Range<u64>, buffer: &mut [u8]) -> Vec<Range<u64>> {
        let (mut missing, mut pages) = (Vec::new(), self.pages());
        for page in self.pages_of(wanted) {
            match pages.get(page) {
                Some(bytes) => copy_common(wanted, buffer, self.place(&(page..page + 1)).start, bytes),
                None => extend(&mut missing, page, 0),
            }
        }
        missing
    }

    /// Reads the missing parts of a large range. They are not cached.
    fn read_past(&self, wanted: &Range<u64>, buffer: &mut [u8], missing: &[Range<u64>], budget: &Budget) -> Result<()> {
        let places = missing.iter().map(|run| {
            let place = self.place(run);
            place.start.max(wanted.start)..place.end.min(wanted.end)
        });
        for places in steps(places) {
            for (place, bytes) in self.ask(&places, budget)? {
                copy_common(wanted, buffer, place.start, &bytes);
            }
        }
        Ok(())
    }

    /// If the reader moves from page to page, adds more and more pages to the last run.
    ///
    /// The number of pages read ahead doubles each time. The number of unnecessary bytes therefore stays in proportion to the
    /// number of used ones, and a reader that continues soon needs few requests.
    fn with_ahead(&self, mut missing: Vec<Range<u64>>) -> Vec<Range<u64>> {
        let mut pages = self.pages();
        let (Some(first), Some(last)) = (missing.first().map(|run| run.start), missing.last_mut()) else {
            return missing;
        };
        let ahead = if first == pages.next { pages.ahead * 2 + FIRST_AHEAD } else { 0 };
        pages.ahead = ahead.min(MOST_AHEAD).min(self.room / 4);
        let end = self.count().min(last.end + pages.ahead);
        last.end = (last.end..end).find(|page| pages.kept.contains_key(page)).unwrap_or(end);
        pages.next = last.end;
        missing
    }

    /// Reads ranges that will be needed soon while there is room for their pages. Neighbours are read in one request. Returns the
    /// number of ranges that fit, which is at least one.
    pub fn prepare(&self, ranges: impl Iterator<Item = Range<u64>>, gap: Gap, budget: &Budget) -> Result<usize> {
        let (most, mut wanted, mut prepared) = (self.room / 8 * 5, BTreeSet::new(), 0);
        {
            let mut pages = self.pages();
            for range in ranges {
                let Some(between) = self.between(&range) else {
                    prepared += 1;
                    continue;
                };
                let of_range = self.pages_of(&between);
                let is_too_much = wanted.len() as u64 + (of_range.end - of_range.start) > most;
                if is_too_much && prepared > 0 {
                    break;
                }
                prepared += 1;
                // A range that is too long for the pages is read when it is requested.
                if is_too_much {
                    break;
                }
                wanted.extend(of_range.filter(|&page| pages.get(page).is_none()));
            }
        }
        let mut runs = Vec::new();
        wanted.iter().for_each(|&page| extend(&mut runs, page, gap.bytes() / self.page));
        let asked: u64 = runs.iter().map(|run| run.end - run.start).sum();
        for places in steps(runs.iter().map(|run| self.place(run))) {
            for (place, bytes) in self.ask(&places, budget)? {
                self.keep(&place, &bytes, |page| asked <= most || wanted.contains(&page));
            }
        }
        Ok(prepared.max(1))
    }

    /// Requests ranges. Their bytes are charged while the request runs.
    fn ask<'r>(
        &self,
        ranges: &'r [Range<u64>],
        budget: &Budget,
    ) -> Result<impl Iterator<Item = (Range<u64>, Vec<u8>)> + use<'r>> {
        let length = ranges.iter().map(|range| range.end - range.start).sum();
        budget.take(length, "bytes of a source")?;
        let asked = ask(&self.source, ranges);
        budget.give_back(length);
        Ok(ranges.iter().cloned().zip(asked?))
    }

    /// Caches the pages of a range that begins at a page boundary, replacing the least recently used ones.
    fn keep(&self, place: &Range<u64>, bytes: &[u8], is_wanted: impl Fn(u64) -> bool) {
        let mut pages = self.pages();
        let first = (place.start - self.head_end()) / self.page;
        for (page, bytes) in (first..).zip(bytes.chunks(self.page as usize)).filter(|(page, _)| is_wanted(*page)) {
            pages.keep(page, bytes, self.room);
        }
    }
}

impl Pages {
    /// Returns a cached page and marks it as used.
    fn get(&mut self, page: u64) -> Option<&[u8]> {
        self.clock += 1;
        let page = self.kept.get_mut(&page)?;
        page.used = self.clock;
        Some(&page.bytes)
    }

    /// Caches a page, after dropping the least recently used ones while there are `room` or more.
    fn keep(&mut self, page: u64, bytes: &[u8], room: u64) {
        while self.kept.len() as u64 >= room.max(1) && !self.kept.contains_key(&page) {
            let Some(oldest) = self.kept.iter().min_by_key(|(_, page)| page.used).map(|(&page, _)| page) else { break };
            self.kept.remove(&oldest);
        }
        self.clock += 1;
        self.kept.insert(page, Page { bytes: bytes.into(), used: self.clock });
    }
}

/// Returns the maximum memory for pages.
fn most_kept(limits: Limits) -> u64 {
    (limits.memory / SHARE).min(MOST_PAGES * PAGE)
}

/// Adds a page to runs of pages in ascending order. It extends the last run if there are no more than `gap` pages in between.
fn extend(runs: &mut Vec<Range<u64>>, page: u64, gap: u64) {
    match runs.last_mut() {
        Some(run) if page - run.end <= gap => run.end = page + 1,
        _ => runs.push(page..page + 1),
    }
}

/// Splits ranges into requests of at most [`STEP`] bytes and [`MOST_AT_ONCE`] ranges.
fn steps(ranges: impl Iterator<Item = Range<u64>>) -> Vec<Vec<Range<u64>>> {
    let (mut steps, mut step, mut room) = (Vec::new(), Vec::new(), STEP);
    for mut range in ranges {
        while range.start < range.end {
            if room == 0 || step.len() == MOST_AT_ONCE {
                steps.push(std::mem::take(&mut step));
                room = STEP;
            }
            let part = range.start..range.end.min(range.start + room);
            room -= part.end - part.start;
            range.start = part.end;
            step.push(part);
        }
    }
    steps.extend((!step.is_empty()).then_some(step));
    steps
}

/// Copies the part of a requested range that is in `bytes`, which begins at an offset.
fn copy_common(wanted: &Range<u64>, buffer: &mut [u8], offset: u64, bytes: &[u8]) {
    let (start, end) = (wanted.start.max(offset), wanted.end.min(offset + bytes.len() as u64));
    if start < end {
        let common = &bytes[(start - offset) as usize..(end - offset) as usize];
        buffer[(start - wanted.start) as usize..(end - wanted.start) as usize].copy_from_slice(common);
    }
}
