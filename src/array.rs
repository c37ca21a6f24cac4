//! Arrays whose format and element type are known at run time only.

use crate::check::{known_format, refusal};
use crate::elements::Elements;
use crate::idx::Idx;
use crate::input::Input;
use crate::items::ElementItems;
use crate::rawarray::RawArray;
use crate::{Dtype, Error, Format, ItemType, Items, Limits, Result, Scalar, b2nd, idx, npy, rawarray};
use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

/// An array of any format that ndbytes reads.
#[derive(Debug)]
#[non_exhaustive]
pub enum Array<'a> {
    /// Of an IDX file.
    Idx(Idx<'a>),
    /// Of a RawArray file.
    RawArray(RawArray<'a>),
    /// Of a b2nd file, or folder.
    B2nd(Box<b2nd::Array<'a>>),
}

/// Opens a file of any format.
///
/// # Errors
/// [`Error::Invalid`] if it is of no known format or breaks a rule of its format, [`Error::NoArray`] if it holds a table,
/// [`Error::Archive`] if it is an archive with IDV streams, [`Error::Io`], [`Error::Limit`].
pub fn open(path: impl AsRef<Path>, limits: &Limits) -> Result<Array<'static>> {
    Array::read(Input::open(path, *limits)?, *limits)
}

impl<'a> Array<'a> {
    /// Reads something that was opened.
    ///
    /// # Errors
    /// As for [`open`].
    pub fn read(input: Input<'a>, limits: Limits) -> Result<Self> {
        match known_format(&input) {
            Some(Format::Idx) => idx::Options::new().limits(limits).read(input).map(Array::Idx),
            Some(Format::RawArray) => rawarray::Options::new().limits(limits).read(input).map(Array::RawArray),
            Some(Format::B2nd) => {
                b2nd::Options::new().limits(limits).read(input).map(|array| Array::B2nd(Box::new(array)))
            }
            Some(format @ Format::Idv) => Err(Error::NoArray { format }),
            None => Err(refusal(&input)),
        }
    }

    /// The format of the file.
    pub fn format(&self) -> Format {
        match self {
            Array::Idx(_) => Format::Idx,
            Array::RawArray(_) => Format::RawArray,
            Array::B2nd(_) => Format::B2nd,
        }
    }

    /// Extent of each axis, as stored.
    pub fn shape(&self) -> &[usize] {
        match self {
            Array::Idx(array) => array.shape(),
            Array::RawArray(array) => array.dims(),
            Array::B2nd(array) => array.shape(),
        }
    }

    /// Whether the first axis varies fastest (Fortran order) rather than the last (C order).
    pub fn is_fortran_order(&self) -> bool {
        matches!(self, Array::RawArray(_))
    }

    /// The type of the elements and the order of their bytes; elements with fields are so many raw bytes.
    pub fn dtype(&self) -> Dtype {
        match self.stored() {
            Ok(elements) => elements.dtype,
            Err(array) => array.dtype(),
        }
    }

    /// The type of the elements, which may have fields.
    pub fn item_type(&self) -> ItemType {
        match self.stored() {
            Ok(elements) => ItemType::Plain(elements.dtype),
            Err(array) => array.item_type().clone(),
        }
    }

    /// The elements in C order of the shape, whatever the order in the file.
    pub fn items(&self) -> Box<dyn Items + '_> {
        match self.stored() {
            Ok(elements) => Box::new(ElementItems::new(elements, self.shape(), self.is_fortran_order())),
            Err(array) => Box::new(array.items()),
        }
    }

    /// The bytes of all elements, decoded, in the order in which they are stored (of b2nd: in C order); a bit is a byte.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be mapped; of b2nd, as for [`b2nd::Array::to_bytes`].
    pub fn bytes(&self) -> Result<Cow<'_, [u8]>> {
        match self.stored() {
            Ok(elements) => elements.bytes().map(Cow::Borrowed),
            Err(array) => array.to_bytes().map(Cow::Owned),
        }
    }

    /// One element, counted in the order in which they are stored (of b2nd: in C order).
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there are not as many, [`Error::Io`] if the file cannot be mapped; of b2nd, as for
    /// [`b2nd::Array::item`].
    pub fn scalar(&self, index: u64) -> Result<Scalar> {
        let elements = match self.stored() {
            Ok(elements) => elements,
            Err(array) => return Ok(Scalar::from_item(array.items().read(index, 1)?, array.item_type())),
        };
        if index >= elements.count {
            return Err(Error::OutOfRange { index, length: elements.count });
        }
        let size = elements.dtype.kind.size().max(1);
        let (bytes, start) = (elements.bytes()?, (index * size) as usize);
        Ok(Scalar::from_bytes(&bytes[start..start + size as usize], elements.dtype))
    }

    /// Writes the array as NumPy's `.npy`: same shape, order, element type and values. NumPy has no 128-bit integers, no
    /// half-precision complex numbers and no brain floats: those become structures of their parts, or raw bytes.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] for more than 64 axes, and for fields that overlap, [`Error::Io`]; of b2nd, as for
    /// [`b2nd::Array::to_bytes`].
    pub fn write_npy(&self, to: impl Write) -> Result<()> {
        let shape: Vec<u64> = self.shape().iter().map(|&extent| extent as u64).collect();
        match self.stored() {
            Ok(elements) => npy::write(to, elements, &shape, self.is_fortran_order()),
            Err(_) => self.items().write_npy(to),
        }
    }

    /// Writes the array to a `.npy` file, atomically.
    ///
    /// # Errors
    /// As for [`Array::write_npy`].
    pub fn export(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let mut file = crate::atomic::AtomicFile::create(path)?;
        self.write_npy(&mut file).map_err(|error| error.at(path))?;
        file.commit()
    }

    /// The elements where they are stored as they are; else the array that decodes them when they are asked for.
    fn stored(&self) -> Result<&Elements<'a>, &b2nd::Array<'a>> {
        match self {
            Array::Idx(array) => Ok(array.elements()),
            Array::RawArray(array) => Ok(array.elements()),
            Array::B2nd(array) => Err(array),
        }
    }
}
