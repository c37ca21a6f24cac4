//! Opens IDX files and reads their elements.

use super::examine::examine;
use crate::arrays::any::ElementArray;
use crate::arrays::elements::{Elements, Stored};
use crate::bytes::input::Input;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::rule::Depth;
use crate::format::Format;
use crate::gzip::admit_opened;
use crate::options::{Handle, OpenOptions, Settings};
use crate::types::dtype::{Dtype, Element, ElementKind};
use everybyte::Endian;
use ndarray::{ArrayD, ArrayViewD, IxDyn};
use ndbytes_schemas::idx as layout;
use ndbytes_schemas::idx::ElementType;
use std::io::Read;
use std::path::Path;

/// Opens a file. An uncompressed file is mapped when a view is requested.
///
/// # Errors
/// [`Error::Invalid`] if the file breaks a rule of severity error; [`Error::Io`] if it cannot be read.
pub fn open(path: impl AsRef<Path>) -> Result<Idx<'static>> {
    Options::new().open(path)
}

/// Reads a file from memory.
///
/// # Errors
/// As for [`open`].
pub fn from_slice(bytes: &[u8]) -> Result<Idx<'_>> {
    Options::new().from_slice(bytes)
}

/// Reads a stream to its end.
///
/// # Errors
/// As for [`open`].
pub fn from_reader(reader: impl Read) -> Result<Idx<'static>> {
    Options::new().from_reader(reader)
}

/// Options for reading IDX files: [`OpenOptions`] has the methods.
///
/// | tolerated rule | effect |
/// |---|---|
/// | [`TRAILING_BYTES`](super::TRAILING_BYTES) | bytes after the payload are ignored |
/// | [`TRUNCATED_PAYLOAD`](super::TRUNCATED_PAYLOAD) | the whole items of a payload that is too short are read: the first dimension shrinks. A gzip file that ends too early counts too; what was inflated of it has no checksum |
/// | [`LITTLE_ENDIAN_HEADER`](super::LITTLE_ENDIAN_HEADER) | a header whose words are reversed is read as if they were not |
///
/// `Options::byte_order` reads elements as little-endian, as some writers store them.
pub type Options = OpenOptions<Idx<'static>>;

impl Handle for Idx<'static> {
    type Of<'a> = Idx<'a>;

    fn read_with<'a>(input: Input<'a>, settings: &Settings) -> Result<Idx<'a>> {
        let mut examined = examine(super::DRIVER.opened(input, settings)?, settings, Depth::Payload)?;
        // A scalar has no items.
        let is_scalar = examined.header.as_ref().is_some_and(|header| header.dims.is_empty());
        let is_tolerated = |finding: &Finding| {
            finding.rule.is_tolerable()
                && settings.tolerates(finding.rule)
                && !(is_scalar && finding.rule == &super::TRUNCATED_PAYLOAD)
        };
        let (tolerated, warnings) = admit_opened(&mut examined.content, examined.findings, is_tolerated)?;
        let header = examined.header.expect("a header that could not be read is an error");
        let endian = settings.byte_order.unwrap_or(Endian::Big);
        Ok(Idx::new(header, examined.content, endian, tolerated, warnings))
    }
}

/// An open IDX file.
///
/// ```
/// let digits = ndbytes::idx::open("samples/digits-idx3-ubyte.gz")?;
/// for digit in digits.items::<u8>()?.iter() {
///     assert_eq!(digit.len(), 28 * 28);                       // an image, without a copy
/// }
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
pub struct Idx<'a> {
    header: layout::Idx,
    shape: Vec<usize>,
    elements: Elements<'a>,
    tolerated: Vec<Finding>,
    warnings: Vec<Finding>,
}

impl<'a> Idx<'a> {
    fn new(
        header: layout::Idx,
        content: Input<'a>,
        endian: Endian,
        tolerated: Vec<Finding>,
        warnings: Vec<Finding>,
    ) -> Self {
        let mut shape: Vec<usize> = header.dims.iter().map(|&dim| dim as usize).collect();
        let size = header.element_type.size();
        if header.payload.is_truncated()
            && let [first, rest @ ..] = &mut shape[..]
        {
            let item = rest.iter().product::<usize>() as u64 * size;
            *first = (header.payload.present / item) as usize;
        }
        let count = shape.iter().product::<usize>() as u64;
        let payload = header.payload.offset..header.payload.offset + count * size;
        let dtype = Dtype { endian, ..dtype(header.element_type) };
        let elements = Elements { input: content, dtype, count, stored: Stored::Plain(payload) };
        Idx { header, shape, elements, tolerated, warnings }
    }

    /// The length of each axis, starting with the outermost.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The type and byte order of the elements.
    pub fn dtype(&self) -> Dtype {
        self.elements.dtype
    }

    /// The header of the file.
    pub fn header(&self) -> &layout::Idx {
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

    /// The bytes of all elements as in the file, which is row-major.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be mapped.
    pub fn bytes(&self) -> Result<&[u8]> {
        self.elements.bytes()
    }

    /// Views the array in place. This is possible only for `u8` and `i8`, because all other elements are big-endian.
    ///
    /// # Errors
    /// [`Error::WrongType`] if the elements are not `T`; [`Error::NoView`] if their bytes must be swapped.
    pub fn view<T: Element>(&self) -> Result<ArrayViewD<'_, T>> {
        Ok(shaped(&self.shape, self.elements.view()?))
    }

    /// Copies the array to memory, in native byte order. The bits of floats are preserved.
    ///
    /// # Errors
    /// [`Error::WrongType`] if the elements are not `T`; [`Error::Limit`] if they exceed the memory limit; [`Error::Io`].
    pub fn to_array<T: Element>(&self) -> Result<ArrayD<T>> {
        let elements = self.elements.to_vec()?;
        Ok(ArrayD::from_shape_vec(IxDyn(&self.shape), elements)
            .expect("the shape was checked when the file was opened"))
    }

    /// Copies the elements to a vector, in row-major order and native byte order.
    ///
    /// # Errors
    /// As for [`Idx::to_array`].
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.elements.to_vec()
    }

    /// Copies the elements to a buffer, in row-major order and native byte order.
    ///
    /// # Errors
    /// As for [`Idx::to_array`]; also [`Error::BufferLength`] if the buffer does not have exactly the length of the array.
    pub fn read_into<T: Element>(&self, buffer: &mut [T]) -> Result<()> {
        self.elements.read_into(buffer)
    }

    /// Views the items along the first axis in place.
    ///
    /// # Errors
    /// As for [`Idx::view`]; a scalar has no items.
    pub fn items<T: Element>(&self) -> Result<ItemViews<'_, T>> {
        let (length, shape) = self.split_shape()?;
        Ok(ItemViews { elements: self.elements.view()?, size: shape.iter().product(), length, shape })
    }

    /// Copies one item along the first axis to memory. Only its bytes are read.
    ///
    /// # Errors
    /// [`Error::OutOfRange`]; otherwise, as for [`Idx::to_array`].
    pub fn item<T: Element>(&self, index: usize) -> Result<ArrayD<T>> {
        let (length, shape) = self.split_shape()?;
        if index >= length {
            return Err(Error::OutOfRange { index: index as u64, length: length as u64 });
        }
        let size = shape.iter().product::<usize>() as u64;
        let elements = self.elements.range_to_vec(index as u64 * size..(index as u64 + 1) * size)?;
        Ok(ArrayD::from_shape_vec(IxDyn(shape), elements).expect("a part of a shape that was checked"))
    }

    /// The number of items along the first axis, and the shape of each.
    fn split_shape(&self) -> Result<(usize, &[usize])> {
        match &self.shape[..] {
            [length, shape @ ..] => Ok((*length, shape)),
            [] => Err(Error::OutOfRange { index: 0, length: 0 }),
        }
    }
}

impl ElementArray for Idx<'_> {
    fn format(&self) -> Format {
        Format::Idx
    }

    fn is_fortran_order(&self) -> bool {
        false
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

/// Views of the items of an array along its first axis.
///
/// ```
/// let digits = ndbytes::idx::open("samples/digits-idx3-ubyte.gz")?;
/// let images = digits.items::<u8>()?;
/// assert_eq!((images.len(), images.shape()), (10, &[28, 28][..]));
/// let ink: u64 = images.get(3).unwrap().iter().map(|&pixel| u64::from(pixel)).sum();
/// assert!(ink > 0);
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ItemViews<'a, T> {
    elements: &'a [T],
    size: usize,
    length: usize,
    shape: &'a [usize],
}

impl<'a, T> ItemViews<'a, T> {
    /// The elements of one item, in row-major order.
    pub fn get(&self, index: usize) -> Option<&'a [T]> {
        if index < self.length { self.elements.get(index * self.size..(index + 1) * self.size) } else { None }
    }

    /// The number of items.
    #[allow(clippy::len_without_is_empty, reason = "an array is not a container")]
    pub fn len(&self) -> usize {
        self.length
    }

    /// The shape of each item.
    pub fn shape(&self) -> &'a [usize] {
        self.shape
    }

    /// All items in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a [T]> + use<'a, T> {
        let ItemViews { elements, size, .. } = *self;
        (0..self.length).map(move |index| &elements[index * size..(index + 1) * size])
    }
}

fn shaped<'a, T>(shape: &[usize], elements: &'a [T]) -> ArrayViewD<'a, T> {
    ArrayViewD::from_shape(IxDyn(shape), elements).expect("the shape was checked when the file was opened")
}

/// Returns the type and byte order of elements in the format.
pub(crate) fn dtype(element_type: ElementType) -> Dtype {
    let kind = match element_type {
        ElementType::U8 => ElementKind::U8,
        ElementType::I8 => ElementKind::I8,
        ElementType::I16 => ElementKind::I16,
        ElementType::I32 => ElementKind::I32,
        ElementType::F32 => ElementKind::F32,
        ElementType::F64 => ElementKind::F64,
    };
    Dtype::new(kind, Endian::Big)
}
