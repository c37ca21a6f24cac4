//! gzip.

mod breakers;
mod draft;
mod operate;
mod spaces;
mod valid;

use super::craft::{Breaker, Craft};
use super::deflate::{crc32, plainly_deflated};
use super::kind::Kind;
use super::map;
use super::whole::Whole;
use everybyte::forge::{Choices, Grammar};
use everybyte::map::Space;
use everybyte::{Book, Endian, Node};
use std::sync::LazyLock;

/// The craft of gzip.
pub(super) static CRAFT: LazyLock<Gzip> = LazyLock::new(|| Gzip { books: map::books(Kind::Gzip) });

pub(super) struct Gzip {
    books: Vec<Book>,
}

impl Grammar for Gzip {
    fn name(&self) -> &str {
        Kind::Gzip.name()
    }

    fn books(&self) -> &[Book] {
        &self.books
    }

    fn byte_order(&self, _file: &[u8]) -> Endian {
        Endian::Little
    }

    fn map(&self, file: &[u8]) -> Vec<Space> {
        spaces::apart(map::map(file), file)
    }

    fn content(&self, file: &[u8], spaces: &[Space], space: u32) -> Option<Vec<u8>> {
        spaces::content(file, spaces, space)
    }

    fn pack(&self, _file: &[u8], _spaces: &[Space], _space: u32, content: &[u8]) -> Option<Vec<u8>> {
        Some(plainly_deflated(content))
    }

    fn check_sum(&self, number: &Node, bytes: &[u8]) -> Option<u64> {
        // The number of a header is the low half of the sum of what is before it.
        match number.name {
            "header_crc" => {
                let end = bytes.len().checked_sub(size_of::<u16>())?;
                Some((crc32(bytes.get(..end)?) & 0xFFFF).into())
            }
            _ => Some(crc32(bytes).into()),
        }
    }

    fn operations(&self) -> &'static [&'static str] {
        operate::OPERATIONS
    }

    fn operate(&self, operation: &str, file: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
        operate::operate(operation, file, choices)
    }

    fn agree(&self, before: &[u8], after: &[u8], _fact: &str) -> Option<Vec<u8>> {
        operate::agree(before, after)
    }
}

impl Craft for Gzip {
    fn valid(&self, choices: &mut Choices<'_>, size: usize) -> Whole {
        valid::whole(choices, size)
    }

    fn breakers(&self) -> &'static [Breaker] {
        breakers::BREAKERS
    }
}
