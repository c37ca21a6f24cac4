//! Reading without a map: it matters only that something may be wrong. The file is explained then.
//!
//! The fields of a declaration follow each other. A parser of one's own may leave bytes out, or read them twice, which a map
//! shows: the fields that it reads are held against each other.

use crate::mode::{self, GLANCED_AT, TRACKED};
use binrw::BinResult;
use binrw::io::Seek;
use std::cell::Cell;

/// The fields that a parser of one's own has read.
#[derive(Debug, Clone, Copy, Default)]
struct Track {
    /// The end of the last one; the start of the parser's own field if there is none.
    reached: u64,
    has_fields: bool,
}

/// What is known of the structure that is glanced at.
#[derive(Debug, Clone, Copy, Default)]
struct Glance {
    has_doubts: bool,
    /// Bytes that were read for checksums.
    summed: u64,
}

thread_local! {
    static GLANCE: Cell<Glance> = const { Cell::new(Glance { has_doubts: false, summed: 0 }) };
    static TRACK: Cell<Track> = const { Cell::new(Track { reached: 0, has_fields: false }) };
}

/// Reads a structure. Returns its value and whether nothing about it is in doubt.
pub fn at<T>(read: impl FnOnce() -> T) -> (T, bool) {
    /// The glance around this one. It is restored on drop, even in a panic.
    struct Outer(Glance, Track);
    impl Drop for Outer {
        fn drop(&mut self) {
            GLANCE.set(self.0);
            TRACK.set(self.1);
        }
    }
    let _outer = Outer(GLANCE.take(), TRACK.take());
    let _mode = mode::only(GLANCED_AT);
    let value = read();
    (value, !GLANCE.get().has_doubts)
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
    let around = TRACK.replace(Track { reached: start, has_fields: false });
    let before = mode::with(TRACKED);
    let parsed = parse(reader);
    drop(before);
    let Track { reached, has_fields } = TRACK.replace(around);
    let value = parsed?;
    let end = reader.stream_position()?;
    if end < start || (has_fields && end != reached) {
        doubt();
    }
    Ok((value, has_fields))
}

/// Reads a field whose fields stand among those around it. Bytes of its own have no node unless it is alone.
pub fn merged<T, R: Seek>(
    reader: &mut R,
    is_alone: bool,
    read: impl FnOnce(&mut R) -> BinResult<T>,
) -> BinResult<T> {
    let start = reader.stream_position()?;
    let is_next = !mode::has(TRACKED) || TRACK.get().reached == start;
    let (value, has_fields) = tracked(reader, read)?;
    let end = reader.stream_position()?;
    if has_fields {
        TRACK.set(Track { reached: end, has_fields });
    }
    if (has_fields && !is_next) || (!has_fields && !is_alone && end != start) {
        doubt();
    }
    Ok(value)
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
    TRACK.set(Track { reached: reader.stream_position()?, has_fields: true });
    value
}
