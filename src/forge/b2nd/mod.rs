//! b2nd.

mod draft;
mod encode;
mod grid;
mod parts;
mod stored;
#[cfg(test)]
mod tests;
mod types;
mod valid;

use super::craft::{Breaker, Craft};
use super::kind::Kind;
use super::map;
use super::whole::Whole;
use everybyte::forge::{Choices, Grammar};
use everybyte::map::Space;
use everybyte::{Book, Endian};
use std::sync::LazyLock;

/// What b2nd brings to the forge.
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
}

impl Craft for B2nd {
    fn kind(&self) -> Kind {
        Kind::B2nd
    }

    fn valid(&self, choices: &mut Choices<'_>, size: usize) -> Whole {
        valid::valid(choices, size)
    }

    fn breakers(&self) -> &'static [Breaker] {
        &[]
    }
}
