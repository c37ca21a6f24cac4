//! gzip.

mod breakers;
pub(super) mod draft;
pub(super) mod valid;

use super::craft::{Breaker, Craft};
use super::kind::Kind;
use super::map;
use super::whole::Whole;
use everybyte::forge::{Choices, Grammar};
use everybyte::map::Space;
use everybyte::{Book, Endian};
use std::sync::LazyLock;

/// What gzip brings to the forge.
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
        map::map(file)
    }
}

impl Craft for Gzip {
    fn kind(&self) -> Kind {
        Kind::Gzip
    }

    fn valid(&self, choices: &mut Choices<'_>, size: usize) -> Whole {
        valid::whole(choices, size)
    }

    fn breakers(&self) -> &'static [Breaker] {
        breakers::BREAKERS
    }
}
