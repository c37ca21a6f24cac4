//! RawArray.

use super::craft::{Breaker, Craft};
use super::kind::Kind;
use super::map;
use super::whole::Whole;
use everybyte::forge::{Choices, Grammar};
use everybyte::map::Space;
use everybyte::{Book, Endian};
use std::sync::LazyLock;

/// What RawArray brings to the forge.
pub(super) static CRAFT: LazyLock<RawArray> = LazyLock::new(|| RawArray { books: map::books(Kind::RawArray) });

pub(super) struct RawArray {
    books: Vec<Book>,
}

impl Grammar for RawArray {
    fn name(&self) -> &str {
        Kind::RawArray.name()
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

impl Craft for RawArray {
    fn kind(&self) -> Kind {
        Kind::RawArray
    }

    fn valid(&self, _choices: &mut Choices<'_>, _size: usize) -> Whole {
        unimplemented!("made by the helper of this kind")
    }

    fn breakers(&self) -> &'static [Breaker] {
        &[]
    }
}
