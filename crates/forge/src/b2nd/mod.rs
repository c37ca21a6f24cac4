//! b2nd.

mod breakers;
mod draft;
mod encode;
mod frames;
mod grid;
mod operations;
mod parts;
mod regrid;
mod spaces;
mod stored;
#[cfg(test)]
mod tests;
mod types;
mod valid;

pub use frames::{BothFrames, b2nd_of_chunk};

use super::craft::{Breaker, Craft};
use super::kind::Kind;
use super::map;
use super::whole::Whole;
use everybyte::forge::{Choices, Grammar};
use everybyte::map::Space;
use everybyte::{Book, Endian};
use std::sync::LazyLock;

/// The craft of b2nd.
pub(super) static CRAFT: LazyLock<B2nd> = LazyLock::new(|| B2nd { books: map::books(Kind::B2nd) });

pub(super) struct B2nd {
    books: Vec<Book>,
}

impl Grammar for B2nd {
    fn name(&self) -> &str {
        Kind::B2nd.name()
    }

    fn books(&self) -> &[Book] {
        &self.books
    }

    fn byte_order(&self, _file: &[u8]) -> Endian {
        Endian::Big
    }

    fn map(&self, file: &[u8]) -> Vec<Space> {
        map::map(file)
    }

    fn content(&self, file: &[u8], spaces: &[Space], space: u32) -> Option<Vec<u8>> {
        spaces::content(file, spaces, space)
    }

    fn pack(&self, file: &[u8], spaces: &[Space], space: u32, content: &[u8]) -> Option<Vec<u8>> {
        spaces::pack(file, spaces, space, content)
    }

    fn operations(&self) -> &'static [&'static str] {
        &operations::NAMES_OF_ALL
    }

    fn operate(&self, operation: &str, file: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
        operations::operate(operation, file, choices)
    }

    fn agree(&self, before: &[u8], after: &[u8], fact: &str) -> Option<Vec<u8>> {
        spaces::agree(before, after, fact)
    }
}

impl Craft for B2nd {
    fn valid(&self, choices: &mut Choices<'_>, size: usize) -> Whole {
        valid::valid(choices, size)
    }

    fn breakers(&self) -> &'static [Breaker] {
        &breakers::ALL
    }
}
