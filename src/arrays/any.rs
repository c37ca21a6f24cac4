//! The common interface of the arrays of all formats.

use super::elements::Elements;
use super::elements::Stored;
use super::items::ElementItems;
use super::items::Items;
use super::npy;
use super::selection::Selection;
use super::sink::Sink;
use crate::bytes::input::Input;
use crate::bytes::limits::{Budget, Limits};
use crate::error::Error;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::format::Format;
use crate::types::dtype::Dtype;
use crate::types::item_type::ItemType;
use crate::types::scalar::Scalar;
use std::borrow::Cow;

/// An array in one of the formats. [`Array`](crate::Array) has the same methods.
pub(crate) trait AnyArray {
    fn format(&self) -> Format;
    fn shape(&self) -> &[usize];
    fn is_fortran_order(&self) -> bool;
    fn warnings(&self) -> &[Finding];
    fn tolerated(&self) -> &[Finding];
    fn dtype(&self) -> Dtype;
    fn item_type(&self) -> ItemType;
    fn items(&self) -> Box<dyn Items + '_>;
    fn select(&self, selection: Selection) -> Box<dyn Items + '_>;
    fn bytes(&self) -> Result<Cow<'_, [u8]>>;
    fn scalar(&self, index: u64) -> Result<Scalar>;
    fn write_npy(&self, to: &mut dyn Sink, limits: &Limits) -> Result<()>;
    fn budget(&self) -> &Budget;

    /// The input that stores the items consecutively and unencoded, and the offset of the first one. `None` if they are encoded.
    fn plain(&self) -> Option<(&Input<'_>, u64)>;
}

/// An array whose elements are available as soon as it is open.
pub(crate) trait ElementArray {
    fn format(&self) -> Format;
    fn is_fortran_order(&self) -> bool;
    fn extents(&self) -> &[usize];
    fn elements(&self) -> &Elements<'_>;
    fn warnings(&self) -> &[Finding];
    fn tolerated(&self) -> &[Finding];

    /// The type of the elements, which may have fields.
    fn item_type(&self) -> ItemType {
        ItemType::Plain(self.elements().dtype)
    }
}

impl<T: ElementArray> AnyArray for T {
    fn format(&self) -> Format {
        ElementArray::format(self)
    }

    fn shape(&self) -> &[usize] {
        self.extents()
    }

    fn is_fortran_order(&self) -> bool {
        ElementArray::is_fortran_order(self)
    }

    fn warnings(&self) -> &[Finding] {
        ElementArray::warnings(self)
    }

    fn tolerated(&self) -> &[Finding] {
        ElementArray::tolerated(self)
    }

    fn dtype(&self) -> Dtype {
        self.elements().dtype
    }

    fn item_type(&self) -> ItemType {
        ElementArray::item_type(self)
    }

    fn items(&self) -> Box<dyn Items + '_> {
        self.select(Selection::all(self.extents()))
    }

    fn select(&self, selection: Selection) -> Box<dyn Items + '_> {
        let is_fortran_order = AnyArray::is_fortran_order(self);
        let item_type = AnyArray::item_type(self);
        Box::new(ElementItems::new(self.elements(), item_type, self.extents(), is_fortran_order, selection))
    }

    fn bytes(&self) -> Result<Cow<'_, [u8]>> {
        self.elements().seen(0..self.elements().byte_length())
    }

    fn scalar(&self, index: u64) -> Result<Scalar> {
        let elements = self.elements();
        if index >= elements.count {
            return Err(Error::OutOfRange { index, length: elements.count });
        }
        let item_type = AnyArray::item_type(self);
        let size = item_type.stride();
        let bytes = elements.seen(index * size..(index + 1) * size)?;
        Ok(Scalar::from_item(&bytes, &item_type))
    }

    fn write_npy(&self, to: &mut dyn Sink, limits: &Limits) -> Result<()> {
        let shape: Vec<u64> = self.extents().iter().map(|&extent| extent as u64).collect();
        npy::write(to, self.elements(), &AnyArray::item_type(self), &shape, AnyArray::is_fortran_order(self), limits)
    }

    fn budget(&self) -> &Budget {
        self.elements().input.budget()
    }

    fn plain(&self) -> Option<(&Input<'_>, u64)> {
        let elements = self.elements();
        match &elements.stored {
            Stored::Plain(place) => Some((&elements.input, place.start)),
            Stored::Decoded(_) => None,
        }
    }
}
