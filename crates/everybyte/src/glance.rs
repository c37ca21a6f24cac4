//! Reading without a map: it matters only that something may be wrong. The file is explained then.
//!
//! The fields of a declaration follow each other. A parser of one's own may leave bytes out, or read them twice, which a map
//! shows. The fields that it reads are held against each other.

use crate::depth;
use crate::mode::{self, GLANCED_AT, TRACKED};
use crate::pieces;
use crate::reference::Layout;
use crate::source::Source;
use binrw::BinResult;
use binrw::io::Seek;
use std::cell::Cell;

/// The fields that a parser of one's own has read.
#[derive(Debug, Clone, Copy, Default)]
struct Track {
    /// The start of the parser's own field.
    start: u64,
    /// The end of the last one; the start if there is none.
    reached: u64,
    has_fields: bool,
}

impl Track {
    const fn from(start: u64) -> Self {
        Track { start, reached: start, has_fields: false }
    }
}

/// The facts that are known of the structure that is glanced at.
#[derive(Debug, Clone, Copy, Default)]
struct Glance {
    has_doubts: bool,
    /// Bytes that were read for checksums.
    summed: u64,
}

thread_local! {
    static GLANCE: Cell<Glance> = const { Cell::new(Glance { has_doubts: false, summed: 0 }) };
    static TRACK: Cell<Track> = const { Cell::new(Track::from(0)) };
}

/// A structure that was glanced at.
pub struct Glanced<T> {
    pub read: BinResult<T>,
    /// The byte after it.
    pub end: u64,
    pub has_fields: bool,
    /// True if something may be wrong.
    pub is_in_doubt: bool,
}

/// Reads a structure.
pub fn at<T: Layout>(source: Source<'_>, parse: impl FnOnce(&mut Source<'_>) -> BinResult<T>) -> Glanced<T> {
    /// The glance around this one. It is restored on drop, even in a panic.
    struct Outer(Glance, Track);
    impl Drop for Outer {
        fn drop(&mut self) {
            GLANCE.set(self.0);
            TRACK.set(self.1);
        }
    }
    let _outer = (Outer(GLANCE.take(), TRACK.take()), pieces::set_aside());
    let _mode = mode::only(GLANCED_AT);
    let mut reader = source;
    let parsed = depth::deeper(|| tracked(&mut reader, parse));
    let is_short = parsed.as_ref().map_or(true, |(value, _)| value.missing() > 0);
    let has_fields = parsed.as_ref().is_ok_and(|&(_, has_fields)| has_fields);
    let is_in_doubt = is_short || GLANCE.get().has_doubts;
    Glanced { read: parsed.map(|(value, _)| value), end: reader.position(), has_fields, is_in_doubt }
}

/// Returns whether structures are glanced at.
#[inline]
pub fn is_on() -> bool {
    mode::has(GLANCED_AT)
}

/// Notes that something may be wrong.
#[cold]
pub fn doubt() {
    GLANCE.set(Glance { has_doubts: true, ..GLANCE.get() });
}

/// Adds to the bytes that were read for checksums. Returns their number.
pub fn add_summed(bytes: u64) -> u64 {
    let glance = GLANCE.get();
    let summed = glance.summed.saturating_add(bytes);
    GLANCE.set(Glance { summed, ..glance });
    summed
}

/// Runs a parser that may leave bytes out. Returns its value and whether it has read fields.
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

/// Reads a field whose fields stand among those around it. Bytes of its own have no node unless it is alone.
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

/// Forgets the fields that the parser has read so far: those of an alternative that was given up.
pub fn start_over() {
    if mode::has(TRACKED) {
        TRACK.set(Track::from(TRACK.get().start));
    }
}

/// Reads a field, which may stand in a parser that leaves bytes out.
pub fn placed<T, R: Seek>(reader: &mut R, read: impl FnOnce(&mut R) -> BinResult<T>) -> BinResult<T> {
    if !mode::has(TRACKED) {
        return read(reader);
    }
    let start = reader.stream_position()?;
    let is_next = TRACK.get().reached == start;
    let before = mode::without(TRACKED);
    let value = read(reader);
    drop(before);
    // A parser may go on where a field failed.
    if !is_next || value.is_err() {
        doubt();
    }
    TRACK.set(Track { reached: reader.stream_position()?, has_fields: true, ..TRACK.get() });
    value
}
