//! The bytes on a page: all bytes of a small file, otherwise the ends of each field and the bytes around findings.
//!
//! The bytes around findings come first, because readers of the page look for them. Ranges are rounded to whole lines
//! of the hex view and merged. The total is bounded, so a large file cannot make a large page.

use crate::map::Space;
use crate::nodes::All;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use std::ops::Range;

/// The number of bytes of a long field that are shown at its start and at its end.
const ENDS: (u64, u64) = (64, 16);

/// The number of bytes that are shown before and after the bytes that a finding is about.
const AROUND: u64 = 64;

/// The number of bytes that are shown from the spaces that fields decompress into.
const OF_SPACES: usize = 96 << 10;

/// The number of bytes in a line.
const LINE: u64 = 16;

/// Consecutive bytes of a space.
///
/// ```
/// use everybyte::page::{Content, Run};
/// # use everybyte::{Format, explain, layout};
/// # #[layout]
/// # struct Pair {
/// #     a: u8,
/// #     b: u8,
/// # }
/// # impl Format for Pair { const NAME: &'static str = "pair"; }
///
/// let file = [1, 2];
/// let explained = explain::<Pair>(&file);
/// let read = |buffer: &mut [u8], offset: u64| {
///     let bytes = file.get(offset as usize..).and_then(|rest| rest.get(..buffer.len()));
///     bytes.map(|bytes| buffer.copy_from_slice(bytes)).is_some()
/// };
/// let content = Content { length: 2, read: &read };
/// assert_eq!(Run::of(&explained.spaces, &[], content, 1024).len(), 1, "a short file is one run");
/// ```
#[derive(Debug, Serialize)]
pub struct Run {
    space: u32,
    start: u64,
    /// The bytes in Base64.
    bytes: String,
}

/// A file as a page reads it. The page needs only some of its bytes, so the file need not be in memory.
///
/// ```
/// use everybyte::page::Content;
///
/// let file = b"abcdef";
/// let read = |buffer: &mut [u8], offset: u64| {
///     let bytes = file.get(offset as usize..).and_then(|rest| rest.get(..buffer.len()));
///     bytes.map(|bytes| buffer.copy_from_slice(bytes)).is_some()
/// };
/// let content = Content { length: file.len() as u64, read: &read };
/// let mut buffer = [0; 2];
/// assert!((content.read)(&mut buffer, 4) && buffer == *b"ef");
/// assert!(!(content.read)(&mut buffer, 5));
/// ```
#[derive(Clone, Copy)]
pub struct Content<'a> {
    /// Its length.
    pub length: u64,
    /// Fills a buffer with the bytes at an offset; returns whether they are available.
    pub read: &'a dyn Fn(&mut [u8], u64) -> bool,
}

impl Run {
    /// Selects the bytes to show: all bytes of a file of at most `whole` bytes; otherwise, the bytes around `marks` and
    /// the ends of fields. From the other spaces, the first fields are selected.
    pub fn of(spaces: &[Space], marks: &[Range<u64>], content: Content<'_>, whole: u64) -> Vec<Run> {
        let wanted = match content.length {
            length if length <= whole => std::iter::once(0..length).collect(),
            length => chosen(spaces, marks, length, whole),
        };
        let mut runs = Vec::new();
        for range in wanted {
            let mut bytes = vec![0; (range.end - range.start) as usize];
            // A file that was truncated in the meantime has no bytes there.
            if !bytes.is_empty() && (content.read)(&mut bytes, range.start) {
                runs.push(run(0, range.start, &bytes));
            }
        }
        let mut room = OF_SPACES;
        for space in spaces.iter().filter(|space| space.id > 0) {
            let mut found = Found { runs: Vec::new(), room };
            found.add(space.nodes.all());
            room = found.room;
            runs.extend(found.runs.iter().map(|(start, bytes)| run(space.id, *start, bytes)));
        }
        runs
    }
}

fn run(space: u32, start: u64, bytes: &[u8]) -> Run {
    Run { space, start, bytes: STANDARD.encode(bytes) }
}

/// Returns the ranges of a long file that are shown: the bytes around marks, then as many ends of fields as fit.
fn chosen(spaces: &[Space], marks: &[Range<u64>], length: u64, mut room: u64) -> Vec<Range<u64>> {
    let mut ranges = Vec::new();
    let mut add = |start: u64, end: u64| {
        let range = start / LINE * LINE..end.next_multiple_of(LINE).min(length);
        let taken = range.end.saturating_sub(range.start);
        if taken <= room && taken > 0 {
            room -= taken;
            ranges.push(range);
        }
    };
    for mark in marks.iter().filter(|mark| mark.start < length).take(200) {
        let end = mark.end.min(mark.start.saturating_add(4 * AROUND)).saturating_add(AROUND);
        add(mark.start.saturating_sub(AROUND), end.min(length));
    }
    for node in spaces.iter().take(1).flat_map(|file| file.nodes.all()).filter(|node| node.is_leaf()) {
        add(node.start(), node.end().min(node.start() + ENDS.0));
        if node.end() > node.start() + ENDS.0 + ENDS.1 {
            add(node.end() - ENDS.1, node.end());
        }
    }
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// The bytes that are kept for the fields of a space.
struct Found {
    runs: Vec<(u64, Vec<u8>)>,
    room: usize,
}

impl Found {
    fn add(&mut self, nodes: All<'_>) {
        for node in nodes {
            let bytes = node.first_bytes();
            if bytes.is_empty() || bytes.len() > self.room {
                continue;
            }
            self.room -= bytes.len();
            match self.runs.last_mut() {
                Some((start, run)) if *start + run.len() as u64 == node.start() => run.extend(bytes),
                _ => self.runs.push((node.start(), bytes.to_vec())),
            }
        }
    }
}
