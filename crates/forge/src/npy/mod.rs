//! .npy.

mod breakers;
pub(super) mod draft;
pub(super) mod operate;
pub(super) mod valid;

use super::craft::{Breaker, Craft};
use super::kind::Kind;
use super::map;
use super::whole::Whole;
use everybyte::forge::{Choices, Grammar};
use everybyte::map::Space;
use everybyte::{Book, Endian};
use std::sync::LazyLock;

/// The craft of `.npy`.
pub(super) static CRAFT: LazyLock<Npy> = LazyLock::new(|| Npy { books: map::books(Kind::Npy) });

pub(super) struct Npy {
    books: Vec<Book>,
}

impl Grammar for Npy {
    fn name(&self) -> &str {
        Kind::Npy.name()
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

    fn operations(&self) -> &'static [&'static str] {
        operate::OPERATIONS
    }

    fn operate(&self, operation: &str, file: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
        operate::operate(operation, file, choices)
    }

    fn agree(&self, before: &[u8], after: &[u8], _fact: &str) -> Option<Vec<u8>> {
        draft::agree(before, after)
    }
}

impl Craft for Npy {
    fn valid(&self, choices: &mut Choices<'_>, size: usize) -> Whole {
        valid::whole(choices, size)
    }

    fn breakers(&self) -> &'static [Breaker] {
        breakers::BREAKERS
    }
}
