//! Opening RawArray files and reading their elements.

use super::decode::{Decoded, decode, presumed};
use super::judge::{Array, byte_order, judge, judge_metadata, read_header};
use crate::elements::Elements;
use crate::finding::admit;
use crate::input::Input;
use crate::{Depth, Dtype, Element, Error, Finding, Limits, Result};
use bytemuck::AnyBitPattern;
use ndarray::{ArrayD, ArrayViewD, IxDyn, ShapeBuilder};
use ndbytes_schemas::Endian;
use ndbytes_schemas::rawarray as layout;
use std::io::Read;
use std::path::Path;

/// Opens a file; unencoded elements are mapped when a view is asked for, encoded ones are decoded at once.
///
/// # Errors
/// [`Error::Invalid`] if the file breaks a rule of severity error, [`Error::Limit`] if its encoded elements take more
/// memory than is allowed, [`Error::Io`] if it cannot be read.
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

/// Which of the two arrays that a file is without moving an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// The shape is `dims`; the first axis varies fastest.
    Fortran,
    /// The shape is `dims` reversed; the last axis varies fastest.
    C,
}

/// How to read RawArray files.
#[derive(Debug, Clone, Default)]
pub struct Options {
    limits: Limits,
}

impl Options {
    /// The defaults.
    pub fn new() -> Self {
        Options::default()
    }

    /// Sets what the file may cost.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits }
    }

    /// Opens a file, as [`open`] does.
    ///
    /// # Errors
    /// As for [`open`].
    pub fn open(&self, path: impl AsRef<Path>) -> Result<RawArray<'static>> {
        self.read(Input::open(path, self.limits)?)
    }

    /// Reads a file that is in memory.
    ///
    /// # Errors
    /// As for [`open`].
    #[allow(clippy::wrong_self_convention, reason = "the options say how to read from a slice")]
    pub fn from_slice<'a>(&self, bytes: &'a [u8]) -> Result<RawArray<'a>> {
        self.read(Input::from_slice(bytes, self.limits))
    }

    /// Reads a stream to its end.
    ///
    /// # Errors
    /// As for [`open`].
    #[allow(clippy::wrong_self_convention, reason = "the options say how to read from a stream")]
    pub fn from_reader(&self, reader: impl Read) -> Result<RawArray<'static>> {
        self.read(Input::from_reader(reader, self.limits)?)
    }

    pub(crate) fn read<'a>(&self, input: Input<'a>) -> Result<RawArray<'a>> {
        let examined = examine(input, Depth::Payload)?;
        let (_, warnings) = admit(examined.findings, |_| false)?;
        let (Some(header), Some((array, order)), Some(decoded)) = (examined.header, examined.array, examined.decoded)
        else {
            unreachable!("what could not be read is an error");
        };
        let stored = decoded.stored(&header);
        let dtype = Dtype::new(array.kind, order);
        let dims = header.dims.iter().map(|&dim| dim as usize).collect();
        let elements = Elements { input: examined.input, dtype, count: array.count, stored };
        Ok(RawArray { header, dims, elements, warnings })
    }
}

/// A file whose structure, and elements if that was asked for, were read and judged.
#[derive(Debug)]
pub(crate) struct Examined<'a> {
    pub input: Input<'a>,
    pub header: Option<layout::RawArray>,
    /// The elements' type and number, if the header makes sense.
    pub array: Option<(Array, Endian)>,
    /// The elements, if they were read and could be decoded.
    pub decoded: Option<Decoded>,
    /// Bytes that the encoded elements take, where that is not `size`.
    pub stored: Option<u64>,
    pub findings: Vec<Finding>,
}

/// Reads and judges a file. At depth `Structure`, no more of it is looked at than the header.
pub(crate) fn examine(input: Input<'_>, depth: Depth) -> Result<Examined<'_>> {
    let endian = byte_order(input.head());
    let judged = judge(input.source(), endian, input.parse(|source| read_header(source, endian, None))?);
    let (mut header, mut findings) = (judged.header, judged.findings);
    let big = endian == Endian::Big || header.as_ref().is_some_and(|header| header.flags.big_endian());
    let order = if big { Endian::Big } else { Endian::Little };
    let (mut decoded, mut stored) = (None, None);
    if let (Some(read), Some(array)) = (&header, judged.array) {
        match depth {
            Depth::Structure => findings.extend(presumed(read, array)),
            Depth::Payload => match decode(&input, read, array, order) {
                Ok(decoding) => {
                    findings.extend(decoding.findings);
                    (decoded, stored) = (decoding.decoded, decoding.stored);
                }
                Err(error @ Error::Limit { .. }) => {
                    findings.extend(presumed(read, array));
                    findings.push(Finding::limit(&error));
                }
                Err(error) => return Err(error),
            },
        }
        // LEB128 numbers say only when they are decoded where they end.
        let ends_somewhere = array.has_known_end() || decoded.is_some();
        if stored.is_some() {
            header = Some(input.parse(|source| read_header(source, endian, stored))?.expect("it was read before"));
        }
        findings.extend(header.as_ref().filter(|_| ends_somewhere).and_then(judge_metadata));
    }
    let array = judged.array.map(|array| (array, order));
    Ok(Examined { input, header, array, decoded, stored, findings })
}

/// A RawArray file that was opened.
#[derive(Debug)]
pub struct RawArray<'a> {
    header: layout::RawArray,
    dims: Vec<usize>,
    elements: Elements<'a>,
    warnings: Vec<Finding>,
}

impl<'a> RawArray<'a> {
    /// Extent of each axis, as stored: the first varies fastest.
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

    /// Whatever stands behind the data; the format gives it no meaning.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be mapped.
    pub fn metadata(&self) -> Result<&[u8]> {
        self.elements.input.range(self.header.metadata.range())
    }

    /// What was found that does not stand in the way.
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// The bytes of all elements, decoded, in the order of [`RawArray::dtype`]; a bit is a byte.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be mapped.
    pub fn bytes(&self) -> Result<&[u8]> {
        self.elements.bytes()
    }

    /// The array where it stands.
    ///
    /// # Errors
    /// [`Error::WrongType`] if the elements are not `T`, [`Error::NoView`] if they need swapping or are not aligned.
    pub fn view<T: Element>(&self, order: Order) -> Result<ArrayViewD<'_, T>> {
        Ok(self.shaped_view(self.elements.view()?, order))
    }

    /// Records where they stand, as any plain type of their width.
    ///
    /// # Errors
    /// [`Error::WrongType`] if `T` has another size than an element, [`Error::NoView`] if they are not aligned for it.
    pub fn view_records<T: AnyBitPattern>(&self, order: Order) -> Result<ArrayViewD<'_, T>> {
        Ok(self.shaped_view(self.elements.records()?, order))
    }

    /// The array in memory of its own, in native byte order; the bits of every float as they are.
    ///
    /// # Errors
    /// [`Error::WrongType`] if the elements are not `T`, [`Error::Limit`] if there is no memory, [`Error::Io`].
    pub fn to_array<T: Element>(&self, order: Order) -> Result<ArrayD<T>> {
        Ok(self.shaped(self.elements.to_vec()?, order))
    }

    /// The array of truth values, from bytes or bits.
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
    /// As for [`RawArray::to_array`], and [`Error::BufferLength`] if the buffer has not as many elements as the array.
    pub fn read_into<T: Element>(&self, buffer: &mut [T]) -> Result<()> {
        self.elements.read_into(buffer)
    }

    fn shaped_view<'b, T>(&self, elements: &'b [T], order: Order) -> ArrayViewD<'b, T> {
        let shape = IxDyn(&self.shape(order)).set_f(order == Order::Fortran);
        ArrayViewD::from_shape(shape, elements).expect("the extents were checked when the file was opened")
    }

    fn shaped<T>(&self, elements: Vec<T>, order: Order) -> ArrayD<T> {
        let shape = IxDyn(&self.shape(order)).set_f(order == Order::Fortran);
        ArrayD::from_shape_vec(shape, elements).expect("the extents were checked when the file was opened")
    }

    pub(crate) fn elements(&self) -> &Elements<'a> {
        &self.elements
    }
}
