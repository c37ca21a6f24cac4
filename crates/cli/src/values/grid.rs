//! A common interface to arrays in formats of ndbytes and in other formats.

use super::slice::Chosen;
use ndbytes::{Array, ItemType, Items, Result};

/// An array whose values are requested.
#[derive(Clone, Copy)]
pub enum Grid<'g> {
    Array(&'g Array<'g>),
    /// An array without rules, and the name of its kind.
    #[cfg(feature = "convert")]
    Foreign(&'g ndbytes_convert::ArraySource<'g>, ndbytes_convert::door::ForeignKind),
}

impl<'g> Grid<'g> {
    /// Selects some of the items.
    pub fn select(self, chosen: &Chosen) -> Result<Box<dyn Items + 'g>> {
        match self {
            Grid::Array(array) => array.select(chosen.elements()),
            #[cfg(feature = "convert")]
            Grid::Foreign(array, _) => array.selected(&chosen.elements()),
        }
    }

    /// Returns the array, if it is in a format of ndbytes.
    pub fn array(self) -> Option<&'g Array<'g>> {
        match self {
            Grid::Array(array) => Some(array),
            #[cfg(feature = "convert")]
            Grid::Foreign(..) => None,
        }
    }

    pub fn item_type(self) -> ItemType {
        match self {
            Grid::Array(array) => array.item_type(),
            #[cfg(feature = "convert")]
            Grid::Foreign(array, _) => array.item_type().clone(),
        }
    }

    /// Returns the name of the format in JSON.
    pub fn format(self) -> &'static str {
        match self {
            Grid::Array(array) => array.format().name(),
            #[cfg(feature = "convert")]
            Grid::Foreign(_, kind) => kind.name(),
        }
    }

    /// Returns whether the first axis varies fastest in the file.
    pub fn is_fortran_order(self) -> bool {
        self.array().is_some_and(Array::is_fortran_order)
    }
}
