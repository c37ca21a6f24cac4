//! zip.

mod breakers;
mod draft;
mod operate;
mod spaces;
mod take;
mod valid;

pub(super) use draft::{Draft, Member, put_together};

use super::craft::{Breaker, Craft};
use super::deflate::crc32;
use super::kind::Kind;
use super::map;
use super::whole::Whole;
use everybyte::forge::{Choices, Grammar};
use everybyte::map::Space;
use everybyte::{Book, Endian, Node};
use std::sync::LazyLock;

/// The craft of zip.
pub(super) static CRAFT: LazyLock<Zip> = LazyLock::new(|| Zip { books: map::books(Kind::Zip) });

pub(super) struct Zip {
    books: Vec<Book>,
}

impl Grammar for Zip {
    fn name(&self) -> &str {
        Kind::Zip.name()
    }

    fn books(&self) -> &[Book] {
        &self.books
    }

    fn byte_order(&self, _file: &[u8]) -> Endian {
        Endian::Little
    }

    fn map(&self, file: &[u8]) -> Vec<Space> {
        spaces::with_all(map::map(file), file)
    }

    fn content(&self, file: &[u8], spaces: &[Space], space: u32) -> Option<Vec<u8>> {
        spaces::content(file, spaces, space)
    }

    fn pack(&self, file: &[u8], spaces: &[Space], space: u32, content: &[u8]) -> Option<Vec<u8>> {
        spaces::pack(file, spaces, space, content)
    }

    fn check_sum(&self, _number: &Node, bytes: &[u8]) -> Option<u64> {
        Some(crc32(bytes).into())
    }

    fn operations(&self) -> &'static [&'static str] {
        operate::OPERATIONS
    }

    fn operate(&self, operation: &str, file: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
        operate::operate(operation, file, choices)
    }
}

impl Craft for Zip {
    fn valid(&self, choices: &mut Choices<'_>, size: usize) -> Whole {
        valid::whole(choices, size)
    }

    fn breakers(&self) -> &'static [Breaker] {
        breakers::BREAKERS
    }
}
