//! .npy.

use super::craft::{Breaker, Craft};
use super::kind::Kind;
use super::map;
use super::whole::Whole;
use everybyte::forge::{Choices, Grammar};
use everybyte::map::Space;
use everybyte::{Book, Endian};
use std::sync::LazyLock;

/// What .npy brings to the forge.
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
}

impl Craft for Npy {
    fn kind(&self) -> Kind {
        Kind::Npy
    }

    fn valid(&self, _choices: &mut Choices<'_>, _size: usize) -> Whole {
        unimplemented!("made by the helper of this kind")
    }

    fn breakers(&self) -> &'static [Breaker] {
        &[]
    }
}
