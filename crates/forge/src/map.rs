//! The maps and the field references that the forge works along.

use super::kind::Kind;
use everybyte::Book;
use everybyte::map::Space;
use ndbytes::{Checker, Input, Limits, layouts};

/// The maximum memory that the map of one file takes: a mutation of a bomb stays cheap.
const MEMORY: u64 = 64 << 20;

/// The limits within which the forge looks at files.
pub(super) fn limits() -> Limits {
    Limits::default().memory(MEMORY)
}

/// The byte map of a file; empty if there is no memory for it.
pub(super) fn map(file: &[u8]) -> Vec<Space> {
    let checker = Checker::new().limits(limits());
    checker.byte_map(Input::from_slice(file, limits())).map(|map| map.spaces).unwrap_or_default()
}

/// The field references of a kind.
pub(super) fn books(kind: Kind) -> Vec<Book> {
    layouts().find(|reference| reference.name == kind.name()).map(|reference| reference.books).unwrap_or_default()
}
