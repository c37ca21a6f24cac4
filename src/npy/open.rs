//! Opens `.npy` files and reads their items.

use super::examine::examine;
use crate::arrays::any::{AnyArray, ElementArray};
use crate::arrays::elements::{Elements, Stored};
use crate::arrays::items::Items;
use crate::bytes::input::Input;
use crate::bytes::limits::extents;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::Depth;
use crate::format::Format;
use crate::gzip::admit_opened;
use crate::options::{Handle, OpenOptions, Settings};
use crate::types::dtype::{Dtype, Element};
use crate::types::item_type::ItemType;
use bytemuck::AnyBitPattern;
use ndarray::{ArrayD, ArrayViewD, IxDyn, ShapeBuilder};
use ndbytes_schemas::npy as layout;
use std::io::Read;
use std::path::Path;

/// Opens a file. Its items are mapped when a view is requested.
///
/// # Errors
/// [`Error::Invalid`](crate::Error::Invalid) if the file breaks a rule of severity error; [`Error::Io`](crate::Error::Io)
/// if it cannot be read.
pub fn open(path: impl AsRef<Path>) -> Result<Npy<'static>> {
    Options::new().open(path)
}

/// Reads a file from memory.
///
/// # Errors
/// As for [`open`].
pub fn from_slice(bytes: &[u8]) -> Result<Npy<'_>> {
    Options::new().from_slice(bytes)
}

/// Reads a stream to its end.
///
/// # Errors
/// As for [`open`]; also [`Error::Limit`](crate::Error::Limit) if the stream is longer than allowed.
pub fn from_reader(reader: impl Read) -> Result<Npy<'static>> {
    Options::new().from_reader(reader)
}

/// Options for reading `.npy` files: [`OpenOptions`] has the methods.
pub type Options = OpenOptions<Npy<'static>>;

impl Handle for Npy<'static> {
    type Of<'a> = Npy<'a>;

    fn read_with<'a>(input: Input<'a>, settings: &Settings) -> Result<Npy<'a>> {
        let mut examined = examine(super::DRIVER.opened(input, settings)?, Depth::Payload)?;
        let is_tolerated = |finding: &Finding| settings.tolerates(finding.rule);
        let (tolerated, warnings) = admit_opened(&mut examined.input, examined.findings, is_tolerated)?;
        let (Some(header), Some(array)) = (examined.header, examined.array) else {
            // The tolerated violation prevents reading.
            return Err(tolerated.into_iter().next().expect("what could not be read is an error").into());
        };
        let shape = extents(array.shape.iter().copied())?;
        let stored = Stored::Plain(header.payload.range());
        let item_type = settings.typed(array.item_type)?;
        let elements = Elements { input: examined.input, dtype: item_type.dtype(), count: array.count, stored };
        let is_fortran_order = array.is_fortran_order;
        Ok(Npy { header, item_type, shape, is_fortran_order, elements, tolerated, warnings })
    }
}

/// An open `.npy` file.
///
/// ```
/// # let mut bytes = Vec::new();
/// # ndbytes::npy::Writer::new().write_to(&mut bytes, &ndarray::arr1(&[1.5_f64, 2.5]))?;
/// let array = ndbytes::npy::from_slice(&bytes)?;              // what `numpy.save` wrote
/// assert_eq!((array.dtype().descr(), array.to_array::<f64>()?[1]), ("<f8".into(), 2.5));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
pub struct Npy<'a> {
    header: layout::Npy,
    item_type: ItemType,
    shape: Vec<usize>,
    is_fortran_order: bool,
    elements: Elements<'a>,
    tolerated: Vec<Finding>,
    warnings: Vec<Finding>,
}

impl Npy<'_> {
    /// The length of each axis.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns whether the first axis varies fastest (Fortran order) rather than the last (C order).
    pub fn is_fortran_order(&self) -> bool {
        self.is_fortran_order
    }

    /// The type of the items, which may have fields.
    pub fn item_type(&self) -> &ItemType {
        &self.item_type
    }

    /// The plain type and byte order of the items; structures are raw bytes of their size.
    pub fn dtype(&self) -> Dtype {
        self.elements.dtype
    }

    /// The header of the file.
    pub fn header(&self) -> &layout::Npy {
        &self.header
    }

    /// The errors that were tolerated because of the options.
    pub fn tolerated(&self) -> &[Finding] {
        &self.tolerated
    }

    /// Warnings: findings that did not prevent reading.
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// The bytes of all items, in file order.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) if the file cannot be mapped.
    pub fn bytes(&self) -> Result<&[u8]> {
        self.elements.bytes()
    }

    /// Views the array in place, in file order.
    ///
    /// # Errors
    /// [`Error::WrongType`](crate::Error::WrongType) if the items are not `T`; [`Error::NoView`](crate::Error::NoView)
    /// if they must be swapped or are not aligned.
    pub fn view<T: Element>(&self) -> Result<ArrayViewD<'_, T>> {
        Ok(self.shaped_view(self.elements.view()?))
    }

    /// Views structures or raw bytes in place, as any plain type of the same size.
    ///
    /// # Errors
    /// [`Error::WrongType`](crate::Error::WrongType) if `T` differs in size from an item; [`Error::NoView`](crate::Error::NoView)
    /// if the items are not aligned for `T`.
    pub fn view_records<T: AnyBitPattern>(&self) -> Result<ArrayViewD<'_, T>> {
        Ok(self.shaped_view(self.elements.records()?))
    }

    /// Copies the array to memory, in native byte order and in the axis order of the file. The bits of floats are preserved.
    ///
    /// # Errors
    /// [`Error::WrongType`](crate::Error::WrongType) if the items are not `T`; [`Error::Limit`](crate::Error::Limit) if
    /// they exceed the memory limit; [`Error::Io`](crate::Error::Io).
    pub fn to_array<T: Element>(&self) -> Result<ArrayD<T>> {
        Ok(self.shaped(self.elements.to_vec()?))
    }

    /// Copies the items to a buffer, in file order and in native byte order.
    ///
    /// # Errors
    /// As for [`Npy::to_array`]; also [`Error::BufferLength`](crate::Error::BufferLength) if the buffer does not have
    /// the length of the array.
    pub fn read_into<T: Element>(&self, buffer: &mut [T]) -> Result<()> {
        self.elements.read_into(buffer)
    }

    /// The items, of any type, in C order, regardless of their order in the file.
    pub fn items(&self) -> Box<dyn Items + '_> {
        AnyArray::items(self)
    }

    /// Copies booleans to memory.
    ///
    /// # Errors
    /// As for [`Npy::to_array`].
    pub fn to_bool_array(&self) -> Result<ArrayD<bool>> {
        Ok(self.shaped(self.elements.to_bools()?))
    }

    fn shaped_view<'b, T>(&self, elements: &'b [T]) -> ArrayViewD<'b, T> {
        let shape = IxDyn(&self.shape).set_f(self.is_fortran_order);
        ArrayViewD::from_shape(shape, elements).expect("the dimensions were checked when the file was opened")
    }

    fn shaped<T>(&self, elements: Vec<T>) -> ArrayD<T> {
        let shape = IxDyn(&self.shape).set_f(self.is_fortran_order);
        ArrayD::from_shape_vec(shape, elements).expect("the dimensions were checked when the file was opened")
    }
}

impl ElementArray for Npy<'_> {
    fn format(&self) -> Format {
        Format::Npy
    }

    fn is_fortran_order(&self) -> bool {
        self.is_fortran_order
    }

    fn item_type(&self) -> ItemType {
        self.item_type.clone()
    }

    fn extents(&self) -> &[usize] {
        &self.shape
    }

    fn elements(&self) -> &Elements<'_> {
        &self.elements
    }

    fn warnings(&self) -> &[Finding] {
        self.warnings()
    }

    fn tolerated(&self) -> &[Finding] {
        self.tolerated()
    }
}
