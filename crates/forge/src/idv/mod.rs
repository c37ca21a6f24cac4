//! IDV.

mod agree;
mod assemble;
mod broken;
mod codecs;
mod draft;
mod inside;
mod operate;
mod rows;
mod stream;
mod table;
mod valid;
mod values;

use super::craft::{Breaker, Craft};
use super::kind::Kind;
use super::map;
use super::whole::Whole;
use everybyte::forge::{Choices, Grammar};
use everybyte::map::Space;
use everybyte::{Book, Endian};
use std::sync::LazyLock;

/// The craft of IDV.
pub(super) static CRAFT: LazyLock<Idv> = LazyLock::new(|| Idv { books: map::books(Kind::Idv) });

pub(super) struct Idv {
    books: Vec<Book>,
}

impl Grammar for Idv {
    fn name(&self) -> &str {
        Kind::Idv.name()
    }

    fn books(&self) -> &[Book] {
        &self.books
    }

    fn byte_order(&self, _file: &[u8]) -> Endian {
        Endian::Little
    }

    fn map(&self, file: &[u8]) -> Vec<Space> {
        map::map(file)
    }

    fn content(&self, file: &[u8], spaces: &[Space], space: u32) -> Option<Vec<u8>> {
        inside::content(file, spaces, space)
    }

    fn pack(&self, file: &[u8], spaces: &[Space], space: u32, content: &[u8]) -> Option<Vec<u8>> {
        inside::packed(file, spaces, space, content)
    }

    fn operations(&self) -> &'static [&'static str] {
        &operate::NAMES
    }

    fn operate(&self, operation: &str, file: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
        operate::operate(operation, file, choices)
    }

    fn agree(&self, before: &[u8], after: &[u8], _fact: &str) -> Option<Vec<u8>> {
        agree::agree(before, after)
    }
}

impl Craft for Idv {
    fn valid(&self, choices: &mut Choices<'_>, size: usize) -> Whole {
        valid::valid(choices, size)
    }

    fn breakers(&self) -> &'static [Breaker] {
        &broken::BREAKERS
    }
}
