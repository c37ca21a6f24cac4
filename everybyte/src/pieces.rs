//! Collects the pieces of some content from several fields until an enclosing field joins them.
//!
//! Pieces are ordered. If a new piece does not begin after an earlier one, the bytes there are being read again, so
//! the new piece replaces the earlier one. A structure at an offset has its own pieces.

use crate::mode::{self, JUDGED, PEEKED_AT, RECORDED};
use binrw::io::{self, Seek};
use std::cell::RefCell;
use std::ops::Range;

/// A piece of some content.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The name of the first type of the content.
    pub of: String,
    pub place: Range<u64>,
    pub bytes: Vec<u8>,
    /// The path of its field; empty if the field has no node.
    pub path: String,
}

thread_local! {
    static PIECES: RefCell<Vec<Piece>> = const { RefCell::new(Vec::new()) };
}

/// The pieces of the enclosing space. They are restored on drop, even in a panic.
pub struct Outer(Vec<Piece>);

impl Drop for Outer {
    fn drop(&mut self) {
        PIECES.set(std::mem::take(&mut self.0));
    }
}

/// Begins a separate space, without pieces.
#[must_use]
pub fn set_aside() -> Outer {
    Outer(PIECES.take())
}

/// Adds a piece.
pub fn add(piece: Piece) {
    forget_from(piece.place.start);
    PIECES.with_borrow_mut(|pieces| pieces.push(piece));
}

/// Discards the pieces after an offset, which belong to a rejected alternative.
pub fn forget_from(offset: u64) {
    PIECES.with_borrow_mut(|pieces| {
        while pieces.last().is_some_and(|last| last.place.start >= offset) {
            pieces.pop();
        }
    });
}

/// Discards the pieces after the position of a reader, which now reads something else there.
#[inline]
pub fn give_up<R: Seek>(reader: &mut R) -> io::Result<()> {
    if are_wanted() && PIECES.with_borrow(|pieces| !pieces.is_empty()) {
        forget_from(reader.stream_position()?);
    }
    Ok(())
}

/// Returns whether pieces may be joined by an enclosing field.
#[inline]
pub fn are_wanted() -> bool {
    mode::has(RECORDED | JUDGED | PEEKED_AT)
}

/// Takes the pieces of some content from these bytes.
pub fn take(of: &str, within: &Range<u64>) -> Vec<Piece> {
    let is_one = |piece: &mut Piece| piece.of == of && piece.place.end <= within.end;
    PIECES.with_borrow_mut(|pieces| {
        let first = pieces.partition_point(|piece| piece.place.start < within.start);
        pieces.extract_if(first.., is_one).collect()
    })
}
