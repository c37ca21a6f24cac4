//! Pieces of a content that stand in several fields, until a field around them joins them.
//!
//! Pieces stand in order. One that begins before another is read once more: what was read the first time is forgotten. A structure
//! at an offset has pieces of its own.

use crate::mode::{self, GLANCED_AT, JUDGED, RECORDED};
use binrw::io::{self, Seek};
use std::cell::RefCell;
use std::ops::Range;

/// A piece of a content.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The name of the type with which the content begins.
    pub of: String,
    pub place: Range<u64>,
    pub bytes: Vec<u8>,
    /// The path of its field; empty if that has no node.
    pub path: String,
}

thread_local! {
    static PIECES: RefCell<Vec<Piece>> = const { RefCell::new(Vec::new()) };
}

/// The pieces of the space around this one. They are restored on drop, even in a panic.
pub struct Outer(Vec<Piece>);

impl Drop for Outer {
    fn drop(&mut self) {
        PIECES.set(std::mem::take(&mut self.0));
    }
}

/// Begins with a space of its own.
#[must_use]
pub fn set_aside() -> Outer {
    Outer(PIECES.take())
}

/// Adds a piece.
pub fn add(piece: Piece) {
    forget_from(piece.place.start);
    PIECES.with_borrow_mut(|pieces| pieces.push(piece));
}

/// Forgets the pieces from an offset on: those of what was given up.
pub fn forget_from(offset: u64) {
    PIECES.with_borrow_mut(|pieces| {
        while pieces.last().is_some_and(|last| last.place.start >= offset) {
            pieces.pop();
        }
    });
}

/// Forgets the pieces after the position of a reader, which reads something else there now.
#[inline]
pub fn give_up<R: Seek>(reader: &mut R) -> io::Result<()> {
    if are_wanted() && PIECES.with_borrow(|pieces| !pieces.is_empty()) {
        forget_from(reader.stream_position()?);
    }
    Ok(())
}

/// Returns whether somebody may join pieces.
#[inline]
pub fn are_wanted() -> bool {
    mode::has(RECORDED | JUDGED | GLANCED_AT)
}

/// Takes the pieces of one content that stand in these bytes.
pub fn take(of: &str, within: &Range<u64>) -> Vec<Piece> {
    let is_one = |piece: &mut Piece| piece.of == of && piece.place.end <= within.end;
    PIECES.with_borrow_mut(|pieces| {
        let first = pieces.partition_point(|piece| piece.place.start < within.start);
        pieces.extract_if(first.., is_one).collect()
    })
}
