//! IDX.

use super::craft::{Breaker, Craft};
use super::kind::Kind;
use super::map;
use super::whole::Whole;
use everybyte::forge::{Choices, Grammar};
use everybyte::map::Space;
use everybyte::{Book, Endian};
use std::sync::LazyLock;

/// What IDX brings to the forge.
pub(super) static CRAFT: LazyLock<Idx> = LazyLock::new(|| Idx { books: map::books(Kind::Idx) });

pub(super) struct Idx {
    books: Vec<Book>,
}

impl Grammar for Idx {
    fn name(&self) -> &str {
        Kind::Idx.name()
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

impl Craft for Idx {
    fn kind(&self) -> Kind {
        Kind::Idx
    }

    fn valid(&self, _choices: &mut Choices<'_>, _size: usize) -> Whole {
        unimplemented!("made by the helper of this kind")
    }

    fn breakers(&self) -> &'static [Breaker] {
        &[]
    }
}
