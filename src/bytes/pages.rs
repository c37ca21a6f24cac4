//! The pages of a source that are at hand. Every request to a source is made here.

pub mod scattered;

use super::limits::{Budget, Limits};
use super::memory::AlignedBytes;
use super::source::{ReadRanges, ask, ends_of};
use crate::error::Result;
use std::collections::BTreeSet;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of the end that are requested together with the head: formats have their directories there. The end of a zip
/// archive, with the longest comment, is in it.
const TAIL: u64 = (64 << 10) + 32;

/// The alignment of the tail: its places in the file and in memory have the same rest. So its numbers are aligned as in a mapping.
const ALIGNED: u64 = 16;

/// Bytes of a page.
const PAGE: u64 = 16 << 10;

/// Bytes that are requested at once, by the place in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    pub head: u64,
    pub tail: u64,
    pub page: u64,
}

impl Sizes {
    /// Those for a head of this length.
    pub fn with_head(head: u64) -> Self {
        Sizes { head, tail: TAIL, page: PAGE }
    }
}

/// The maximum number of pages that are kept.
const MOST_PAGES: u64 = 1 << 10;

/// The part of the memory limit that the pages may take.
const SHARE: u64 = 4;

/// Longer reads are not kept.
const LARGE: u64 = 1 << 20;

/// How far apart ranges may be that become one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gap {
    /// 1 MiB, for neighbours of which most is wanted.
    Wide,
    /// Nothing but the pages that they share, for small parts of what is between.
    None,
}

impl Gap {
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

/// The maximum number of pages that are read ahead of a reader that goes from page to page.
const MOST_AHEAD: u64 = 128;

/// A source, its first and last bytes, and the pages between them that were read lately.
pub(crate) struct Paged {
    source: Box<dyn ReadRanges>,
    page: u64,
    pub length: u64,
    pub head: AlignedBytes,
    tail: AlignedBytes,
    /// The number of bytes before the tail that only align it.
    before: usize,
    pages: Mutex<Pages>,
    /// The maximum number of pages that are kept.
    room: u64,
}

#[derive(Default)]
struct Pages {
    kept: HashMap<u64, Page>,
    /// Counts the uses of pages.
    clock: u64,
    /// The page after those that were read last.
    next: u64,
    /// Pages that were read ahead then.
    ahead: u64,
}

struct Page {
    bytes: Box<[u8]>,
    used: u64,
}

/// A source at its opening.
pub(crate) enum Opened {
    /// A small file: all bytes.
    Whole(AlignedBytes),
    Paged(Paged),
}

impl Paged {
    /// Asks for the length, the first and the last bytes: all bytes of a small file.
    pub fn open(source: Box<dyn ReadRanges>, limits: Limits, sizes: Sizes) -> Result<Opened> {
        let Sizes { head, tail, page } = sizes;
        let ends = ends_of(&source, head, tail)?;
        let length = ends.length;
        if length <= head + tail {
            let mut whole = ends.head;
            whole.extend_from_slice(&ends.tail[ends.tail.len() - (length as usize - whole.len())..]);
            return Ok(Opened::Whole(AlignedBytes::copy_of(&whole)?));
        }
        // Zeros before the tail have its numbers aligned.
        let before = ((length - tail) % ALIGNED) as usize;
        let tail = [&[0; ALIGNED as usize][..before], &ends.tail[..]].concat();
        let (head, tail) = (AlignedBytes::copy_of(&ends.head)?, AlignedBytes::copy_of(&tail)?);
        let room = (most_kept(limits) / page).min(MOST_PAGES);
        Ok(Opened::Paged(Paged { source, page, length, head, tail, before, pages: Mutex::default(), room }))
    }

    /// The part of the limits that the pages leave for an input of the source. The length is only a claim, so it grants nothing.
    pub fn beside_pages(limits: Limits) -> Limits {
        limits.memory(limits.memory - most_kept(limits))
    }

    /// Bytes that stay at hand: of the head, or of the tail.
    pub fn held(&self, range: &Range<u64>) -> Option<&[u8]> {
        let (bytes, start) = match range.end <= self.head_end() {
            true => (self.head.as_slice(), 0),
            false => (self.tail(), self.tail_start()),
        };
        let place = usize::try_from(range.start.checked_sub(start)?).ok()?..usize::try_from(range.end - start).ok()?;
        bytes.get(place)
    }

    fn tail(&self) -> &[u8] {
        &self.tail.as_slice()[self.before..]
    }

    fn head_end(&self) -> u64 {
        self.head.as_slice().len() as u64
    }

    fn tail_start(&self) -> u64 {
        self.length - self.tail().len() as u64
    }

    /// The number of pages between the head and the tail.
    fn count(&self) -> u64 {
        (self.tail_start() - self.head_end()).div_ceil(self.page)
    }

    /// The bytes of neighbouring pages.
    fn place(&self, pages: &Range<u64>) -> Range<u64> {
        let start = |page: u64| page.saturating_mul(self.page).saturating_add(self.head_end()).min(self.tail_start());
        start(pages.start)..start(pages.end)
    }

    /// The pages that hold a range of the bytes between the head and the tail.
    fn pages_of(&self, range: &Range<u64>) -> Range<u64> {
        (range.start - self.head_end()) / self.page..(range.end - self.head_end()).div_ceil(self.page)
    }

    /// The part of a range that stands between the head and the tail.
    fn between(&self, range: &Range<u64>) -> Option<Range<u64>> {
        let part = range.start.max(self.head_end())..range.end.min(self.tail_start());
        (part.start < part.end).then_some(part)
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copies bytes, which do not reach beyond the length. Those that are not at hand are requested.
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

    /// Copies what pages have of a range, and returns the runs of pages that are missing.
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

    /// Reads what is missing of a large range. Its bytes are not kept.
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

    /// Adds pages to the last run, if the reader goes from page to page: more and more of them.
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

    /// Reads ranges that will be wanted soon, neighbours with one request, as far as there is room for their pages. Returns
    /// the number of ranges for which that holds: at least one.
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

    /// Asks for ranges. Their bytes are debited while they are requested.
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

    /// Keeps pages of a place that begins with a page, instead of those that were not used for the longest time.
    fn keep(&self, place: &Range<u64>, bytes: &[u8], is_wanted: impl Fn(u64) -> bool) {
        let mut pages = self.pages();
        let first = (place.start - self.head_end()) / self.page;
        for (page, bytes) in (first..).zip(bytes.chunks(self.page as usize)).filter(|(page, _)| is_wanted(*page)) {
            pages.keep(page, bytes, self.room);
        }
    }
}

impl Pages {
    fn get(&mut self, page: u64) -> Option<&[u8]> {
        self.clock += 1;
        let page = self.kept.get_mut(&page)?;
        page.used = self.clock;
        Some(&page.bytes)
    }

    fn keep(&mut self, page: u64, bytes: &[u8], room: u64) {
        while self.kept.len() as u64 >= room.max(1) && !self.kept.contains_key(&page) {
            let Some(oldest) = self.kept.iter().min_by_key(|(_, page)| page.used).map(|(&page, _)| page) else { break };
            self.kept.remove(&oldest);
        }
        self.clock += 1;
        self.kept.insert(page, Page { bytes: bytes.into(), used: self.clock });
    }
}

/// The memory that pages may take.
fn most_kept(limits: Limits) -> u64 {
    (limits.memory / SHARE).min(MOST_PAGES * PAGE)
}

/// Adds a page to runs of pages in ascending order: to the last one, if no more than `gap` pages are between.
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

/// Copies what `bytes`, which stand at an offset, have of a wanted range.
fn copy_common(wanted: &Range<u64>, buffer: &mut [u8], offset: u64, bytes: &[u8]) {
    let (start, end) = (wanted.start.max(offset), wanted.end.min(offset + bytes.len() as u64));
    if start < end {
        let common = &bytes[(start - offset) as usize..(end - offset) as usize];
        buffer[(start - wanted.start) as usize..(end - wanted.start) as usize].copy_from_slice(common);
    }
}
