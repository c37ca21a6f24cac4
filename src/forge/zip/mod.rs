//! zip.

mod breakers;
mod draft;
mod valid;

use super::craft::{Breaker, Craft};
use super::kind::Kind;
use super::map;
use super::whole::Whole;
use everybyte::forge::{Choices, Grammar};
use everybyte::map::Space;
use everybyte::{Book, Endian};
use std::sync::LazyLock;

/// What zip brings to the forge.
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
        map::map(file)
    }
}

impl Craft for Zip {
    fn kind(&self) -> Kind {
        Kind::Zip
    }

    fn valid(&self, choices: &mut Choices<'_>, size: usize) -> Whole {
        valid::whole(choices, size)
    }

    fn breakers(&self) -> &'static [Breaker] {
        breakers::BREAKERS
    }
}
