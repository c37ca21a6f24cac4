//! Opening RawArray files and reading their elements.

use super::examine::examine;
use crate::arrays::any::ElementArray;
use crate::arrays::elements::Elements;
use crate::bytes::input::Input;
use crate::bytes::limits::extents;
use crate::envelope::gzip::admit_opened;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::Depth;
use crate::format::Format;
use crate::options::{Handle, OpenOptions, Settings};
use crate::types::dtype::{Dtype, Element};
use bytemuck::AnyBitPattern;
use ndarray::{ArrayD, ArrayViewD, IxDyn, ShapeBuilder};
use ndbytes_schemas::rawarray as layout;
use std::io::Read;
use std::path::Path;

/// Opens a file; unencoded elements are mapped when a view is requested, encoded ones are decoded at once.
///
/// # Errors
/// [`Error::Invalid`](crate::Error::Invalid) if the file breaks a rule of severity error.
/// [`Error::Limit`](crate::Error::Limit) if its encoded elements take more memory than is allowed.
/// [`Error::Io`](crate::Error::Io) if it cannot be read.
pub fn open(path: impl AsRef<Path>) -> Result<RawArray<'static>> {
    Options::new().open(path)
}

/// Reads a file that is in memory.
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

/// The order of the axes: a file is one of two arrays without moving an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// The shape is `dims`; the first axis varies fastest.
    Fortran,
    /// The shape is `dims` reversed; the last axis varies fastest.
    C,
}

/// How to read RawArray files: [`OpenOptions`] has the methods.
pub type Options = OpenOptions<RawArray<'static>>;

impl Handle for RawArray<'static> {
    type Of<'a> = RawArray<'a>;

    fn read_with<'a>(input: Input<'a>, settings: &Settings) -> Result<RawArray<'a>> {
        let mut examined = examine(super::ROOM.opened(input, settings)?, Depth::Payload)?;
        let is_tolerated = |finding: &Finding| settings.tolerates(finding.rule);
        let (tolerated, warnings) = admit_opened(&mut examined.input, examined.findings, is_tolerated)?;
        let (Some(header), Some((array, order)), Some(decoded)) = (examined.header, examined.array, examined.decoded)
        else {
            // A rule was tolerated without which nothing can be read.
            return Err(tolerated.into_iter().next().expect("what could not be read is an error").into());
        };
        let stored = decoded.stored(&header);
        let dtype = Dtype::new(array.kind, order);
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
    /// Length of each axis, as stored: the first varies fastest.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// The shape of the array in one of its two orders.
    pub fn shape(&self, order: Order) -> Vec<usize> {
        match order {
            Order::Fortran => self.dims.clone(),
            Order::C => self.dims.iter().rev().copied().collect(),
        }
    }

    /// The type of the elements and the order of their bytes, after decoding.
    pub fn dtype(&self) -> Dtype {
        self.elements.dtype
    }

    /// The header, as it stands in the file.
    pub fn header(&self) -> &layout::RawArray {
        &self.header
    }

    /// The bytes after the data; the format does not define them.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) if the file cannot be mapped.
    pub fn metadata(&self) -> Result<&[u8]> {
        self.elements.input.range(self.header.metadata.range())
    }

    /// The errors that were tolerated, because the options said so.
    pub fn tolerated(&self) -> &[Finding] {
        &self.tolerated
    }

    /// Warnings: findings that did not prevent reading.
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// The bytes of all elements, decoded, in the order of [`RawArray::dtype`]; a bit is a byte.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) if the file cannot be mapped.
    pub fn bytes(&self) -> Result<&[u8]> {
        self.elements.bytes()
    }

    /// The array in place.
    ///
    /// # Errors
    /// [`Error::WrongType`](crate::Error::WrongType) if the elements are not `T`, [`Error::NoView`](crate::Error::NoView) if they need swapping or are not aligned.
    pub fn view<T: Element>(&self, order: Order) -> Result<ArrayViewD<'_, T>> {
        Ok(self.shaped_view(self.elements.view()?, order))
    }

    /// Records in place, as any plain type of their width.
    ///
    /// # Errors
    /// [`Error::WrongType`](crate::Error::WrongType) if `T` has another size than an element, [`Error::NoView`](crate::Error::NoView) if they are not aligned for it.
    pub fn view_records<T: AnyBitPattern>(&self, order: Order) -> Result<ArrayViewD<'_, T>> {
        Ok(self.shaped_view(self.elements.records()?, order))
    }

    /// The array in memory of its own, in native byte order. The bits of every float are kept.
    ///
    /// # Errors
    /// [`Error::WrongType`](crate::Error::WrongType) if the elements are not `T`, [`Error::Limit`](crate::Error::Limit) if there is no memory, [`Error::Io`](crate::Error::Io).
    pub fn to_array<T: Element>(&self, order: Order) -> Result<ArrayD<T>> {
        Ok(self.shaped(self.elements.to_vec()?, order))
    }

    /// The array of booleans, from bytes or bits.
    ///
    /// # Errors
    /// As for [`RawArray::to_array`].
    pub fn to_bool_array(&self, order: Order) -> Result<ArrayD<bool>> {
        Ok(self.shaped(self.elements.to_bools()?, order))
    }

    /// The elements in a vector, in the order of the file, in native byte order.
    ///
    /// # Errors
    /// As for [`RawArray::to_array`].
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.elements.to_vec()
    }

    /// Copies the elements, in the order of the file, in native byte order.
    ///
    /// # Errors
    /// As for [`RawArray::to_array`], and [`Error::BufferLength`](crate::Error::BufferLength) if the buffer does not
    /// have as many elements as the array.
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
    const FORMAT: Format = Format::RawArray;

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
