//! Reads a file without a map, only to find out whether anything may be wrong. If so, the file is explained.
//!
//! Most files that are checked are valid, and building a map costs many times as much as reading. A peek may doubt a valid file,
//! which costs time, but must never trust a broken one. Reasons for doubt are a violation, a missing byte, and bytes that are
//! claimed by no field or by several. The messages and positions of findings always come from the map.
//!
//! The fields of a declaration are consecutive. A custom parser may skip bytes or read them twice, which a map would
//! show. The fields that it reads are therefore checked against each other.

use crate::depth;
use crate::mode::{self, PEEKED_AT, TRACKED};
use crate::pieces;
use crate::reference::Layout;
use crate::source::Source;
use binrw::BinResult;
use binrw::io::Seek;
use std::cell::Cell;

/// The fields that a custom parser has read.
#[derive(Debug, Clone, Copy, Default)]
struct Track {
    /// The start of the parser's field.
    start: u64,
    /// The end of the last field; the start if there are no fields.
    reached: u64,
    has_fields: bool,
}

impl Track {
    const fn from(start: u64) -> Self {
        Track { start, reached: start, has_fields: false }
    }
}

/// The state of the structure that is being read without a map.
#[derive(Debug, Clone, Copy, Default)]
struct PeekState {
    has_doubts: bool,
    /// The number of bytes read for checksums.
    summed: u64,
}

thread_local! {
    static PEEK: Cell<PeekState> = const { Cell::new(PeekState { has_doubts: false, summed: 0 }) };
    static TRACK: Cell<Track> = const { Cell::new(Track::from(0)) };
}

/// A structure that was read without a map.
pub struct Peeked<T> {
    pub read: BinResult<T>,
    /// The byte after the structure.
    pub end: u64,
    pub has_fields: bool,
    /// True if anything may be wrong.
    pub is_in_doubt: bool,
}

/// Reads a structure.
pub fn at<T: Layout>(source: Source<'_>, parse: impl FnOnce(&mut Source<'_>) -> BinResult<T>) -> Peeked<T> {
    /// The outer state. It is restored on drop, even in a panic.
    struct Outer(PeekState, Track);
    impl Drop for Outer {
        fn drop(&mut self) {
            PEEK.set(self.0);
            TRACK.set(self.1);
        }
    }
    let _outer = (Outer(PEEK.take(), TRACK.take()), pieces::set_aside());
    let _mode = mode::only(PEEKED_AT);
    let mut reader = source;
    let parsed = depth::deeper(|| tracked(&mut reader, parse));
    let is_short = parsed.as_ref().map_or(true, |(value, _)| value.missing() > 0);
    let has_fields = parsed.as_ref().is_ok_and(|&(_, has_fields)| has_fields);
    let is_in_doubt = is_short || PEEK.get().has_doubts;
    Peeked { read: parsed.map(|(value, _)| value), end: reader.position(), has_fields, is_in_doubt }
}

/// Returns whether structures are read without a map.
#[inline]
pub fn is_on() -> bool {
    mode::has(PEEKED_AT)
}

/// Records that something may be wrong, so that the file is explained.
#[cold]
pub fn doubt() {
    PEEK.set(PeekState { has_doubts: true, ..PEEK.get() });
}

/// Adds to the number of bytes read for checksums. Returns the total.
pub fn add_summed(bytes: u64) -> u64 {
    let state = PEEK.get();
    let summed = state.summed.saturating_add(bytes);
    PEEK.set(PeekState { summed, ..state });
    summed
}

/// Runs a parser that may leave bytes out. Returns its value and whether it read any fields.
pub fn tracked<T, R: Seek>(reader: &mut R, parse: impl FnOnce(&mut R) -> BinResult<T>) -> BinResult<(T, bool)> {
    let start = reader.stream_position()?;
    let around = TRACK.replace(Track::from(start));
    let before = mode::with(TRACKED);
    let parsed = parse(reader);
    drop(before);
    let Track { reached, has_fields, .. } = TRACK.replace(around);
    let value = parsed?;
    let end = reader.stream_position()?;
    if end < start || (has_fields && end != reached) {
        doubt();
    }
    Ok((value, has_fields))
}

/// Reads a field whose parts become its siblings. Its other bytes have no node unless it is the only field.
pub fn merged<T, R: Seek>(reader: &mut R, is_alone: bool, read: impl FnOnce(&mut R) -> BinResult<T>) -> BinResult<T> {
    let start = reader.stream_position()?;
    let is_next = !mode::has(TRACKED) || TRACK.get().reached == start;
    let (value, has_fields) = tracked(reader, read)?;
    let end = reader.stream_position()?;
    if has_fields {
        TRACK.set(Track { reached: end, has_fields, ..TRACK.get() });
    }
    if (has_fields && !is_next) || (!has_fields && !is_alone && end != start) {
        doubt();
    }
    Ok(value)
}

/// Discards the fields that the parser has read so far, which belong to a rejected alternative.
pub fn start_over() {
    if mode::has(TRACKED) {
        TRACK.set(Track::from(TRACK.get().start));
    }
}

/// Reads a field, possibly inside a parser that skips bytes.
pub fn placed<T, R: Seek>(reader: &mut R, read: impl FnOnce(&mut R) -> BinResult<T>) -> BinResult<T> {
    if !mode::has(TRACKED) {
        return read(reader);
    }
    let start = reader.stream_position()?;
    let is_next = TRACK.get().reached == start;
    let before = mode::without(TRACKED);
    let value = read(reader);
    drop(before);
    // A parser may continue after a field has failed.
    if !is_next || value.is_err() {
        doubt();
    }
    TRACK.set(Track { reached: reader.stream_position()?, has_fields: true, ..TRACK.get() });
    value
}
