//! Opens RawArray files and reads their elements.

use super::examine::examine;
use crate::arrays::any::ElementArray;
use crate::arrays::elements::Elements;
use crate::bytes::input::Input;
use crate::bytes::limits::extents;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::Depth;
use crate::format::Format;
use crate::gzip::admit_opened;
use crate::options::{Handle, OpenOptions, Settings};
use crate::types::dtype::{Dtype, Element};
use bytemuck::AnyBitPattern;
use ndarray::{ArrayD, ArrayViewD, IxDyn, ShapeBuilder};
use ndbytes_schemas::rawarray as layout;
use std::io::Read;
use std::path::Path;

/// Opens a file. Unencoded elements are mapped when a view is requested. Encoded elements are decoded immediately.
///
/// # Errors
/// [`Error::Invalid`](crate::Error::Invalid) if the file breaks a rule of severity error. [`Error::Limit`](crate::Error::Limit) if
/// its encoded elements exceed the memory limit. [`Error::Io`](crate::Error::Io) if it cannot be read.
pub fn open(path: impl AsRef<Path>) -> Result<RawArray<'static>> {
    Options::new().open(path)
}

/// Reads a file from memory.
///
/// # Errors
/// As for [`open`].
pub fn from_slice(bytes: &[u8]) -> Result<RawArray<'_>> {
    Options::new().from_slice(bytes)
}

/// Reads a stream to its end.
///
/// # Errors
/// As for [`open`].
pub fn from_reader(reader: impl Read) -> Result<RawArray<'static>> {
    Options::new().from_reader(reader)
}

/// The order of the axes. A file can be read as two different arrays without moving any element.
///
/// ```
/// use ndbytes::rawarray::{self, Order};
///
/// let surface = rawarray::open("samples/surface.ra")?;
/// let (fortran, c) = (surface.view::<f32>(Order::Fortran)?, surface.view::<f32>(Order::C)?);
/// assert_eq!((fortran.shape(), c.shape()), (&[4, 6][..], &[6, 4][..]));
/// assert_eq!(fortran[[3, 1]], c[[1, 3]]); // the same element
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// The shape is `dims`; the first axis varies fastest.
    Fortran,
    /// The shape is `dims` reversed; the last axis varies fastest.
    C,
}

/// Options for reading RawArray files: [`OpenOptions`] has the methods.
pub type Options = OpenOptions<RawArray<'static>>;

impl Handle for RawArray<'static> {
    type Of<'a> = RawArray<'a>;

    fn read_with<'a>(input: Input<'a>, settings: &Settings) -> Result<RawArray<'a>> {
        let mut examined = examine(super::DRIVER.opened(input, settings)?, Depth::Payload)?;
        let is_tolerated = |finding: &Finding| settings.tolerates(finding.rule);
        let (tolerated, warnings) = admit_opened(&mut examined.input, examined.findings, is_tolerated)?;
        let (Some(header), Some((array, order)), Some(decoded)) = (examined.header, examined.array, examined.decoded)
        else {
            // The tolerated violation prevents reading.
            return Err(tolerated.into_iter().next().expect("what could not be read is an error").into());
        };
        let stored = decoded.stored(&header);
        let dtype = settings.typed(Dtype::new(array.kind, order).into())?.dtype();
        let dims = extents(header.dims.iter().copied())?;
        let elements = Elements { input: examined.input, dtype, count: array.count, stored };
        Ok(RawArray { header, dims, elements, tolerated, warnings })
    }
}

/// An open RawArray file.
///
/// ```
/// use ndbytes::rawarray::{self, Order};
///
/// let surface = rawarray::open("samples/surface.ra")?;
/// assert_eq!(surface.view::<f32>(Order::C)?.shape(), [6, 4]); // the dimensions 4 and 6, reversed
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
pub struct RawArray<'a> {
    header: layout::RawArray,
    dims: Vec<usize>,
    elements: Elements<'a>,
    tolerated: Vec<Finding>,
    warnings: Vec<Finding>,
}

impl<'a> RawArray<'a> {
    /// The length of each axis as stored. The first axis varies fastest.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// The shape of the array in the given order.
    pub fn shape(&self, order: Order) -> Vec<usize> {
        match order {
            Order::Fortran => self.dims.clone(),
            Order::C => self.dims.iter().rev().copied().collect(),
        }
    }

    /// The type and byte order of the elements, after decoding.
    pub fn dtype(&self) -> Dtype {
        self.elements.dtype
    }

    /// The header of the file.
    pub fn header(&self) -> &layout::RawArray {
        &self.header
    }

    /// The bytes after the data, which the format does not define.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) if the file cannot be mapped.
    pub fn metadata(&self) -> Result<&[u8]> {
        self.elements.input.range(self.header.metadata.range())
    }

    /// The errors that were tolerated because of the options.
    pub fn tolerated(&self) -> &[Finding] {
        &self.tolerated
    }

    /// Warnings: findings that did not prevent reading.
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// The decoded bytes of all elements, in the byte order of [`RawArray::dtype`]. A bit becomes a byte.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) if the file cannot be mapped.
    pub fn bytes(&self) -> Result<&[u8]> {
        self.elements.bytes()
    }

    /// Views the array in place.
    ///
    /// # Errors
    /// [`Error::WrongType`](crate::Error::WrongType) if the elements are not `T`; [`Error::NoView`](crate::Error::NoView) if they must be
    /// swapped or are not aligned.
    pub fn view<T: Element>(&self, order: Order) -> Result<ArrayViewD<'_, T>> {
        Ok(self.shaped_view(self.elements.view()?, order))
    }

    /// Views records in place, as any plain type of the same size.
    ///
    /// # Errors
    /// [`Error::WrongType`](crate::Error::WrongType) if `T` differs in size from an element;
    /// [`Error::NoView`](crate::Error::NoView) if the elements are not aligned for `T`.
    pub fn view_records<T: AnyBitPattern>(&self, order: Order) -> Result<ArrayViewD<'_, T>> {
        Ok(self.shaped_view(self.elements.records()?, order))
    }

    /// Copies the array to memory, in native byte order. The bits of floats are preserved.
    ///
    /// # Errors
    /// [`Error::WrongType`](crate::Error::WrongType) if the elements are not `T`; [`Error::Limit`](crate::Error::Limit) if they exceed the
    /// memory limit; [`Error::Io`](crate::Error::Io).
    pub fn to_array<T: Element>(&self, order: Order) -> Result<ArrayD<T>> {
        Ok(self.shaped(self.elements.to_vec()?, order))
    }

    /// Copies booleans to memory, from bytes or bits.
    ///
    /// # Errors
    /// As for [`RawArray::to_array`].
    pub fn to_bool_array(&self, order: Order) -> Result<ArrayD<bool>> {
        Ok(self.shaped(self.elements.to_bools()?, order))
    }

    /// Copies the elements to a vector, in file order and native byte order.
    ///
    /// # Errors
    /// As for [`RawArray::to_array`].
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.elements.to_vec()
    }

    /// Copies the elements to a buffer, in file order and native byte order.
    ///
    /// # Errors
    /// As for [`RawArray::to_array`]; also [`Error::BufferLength`](crate::Error::BufferLength) if the buffer does not
    /// have the length of the array.
    pub fn read_into<T: Element>(&self, buffer: &mut [T]) -> Result<()> {
        self.elements.read_into(buffer)
    }

    fn shaped_view<'b, T>(&self, elements: &'b [T], order: Order) -> ArrayViewD<'b, T> {
        let shape = IxDyn(&self.shape(order)).set_f(order == Order::Fortran);
        ArrayViewD::from_shape(shape, elements).expect("the dimensions were checked when the file was opened")
    }

    fn shaped<T>(&self, elements: Vec<T>, order: Order) -> ArrayD<T> {
        let shape = IxDyn(&self.shape(order)).set_f(order == Order::Fortran);
        ArrayD::from_shape_vec(shape, elements).expect("the dimensions were checked when the file was opened")
    }
}

impl ElementArray for RawArray<'_> {
    fn format(&self) -> Format {
        Format::RawArray
    }

    fn is_fortran_order(&self) -> bool {
        true
    }

    fn extents(&self) -> &[usize] {
        self.dims()
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
