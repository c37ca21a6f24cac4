//! Opening IDX files and reading their elements.

use super::examine::examine;
use super::rules;
use crate::elements::{Elements, Stored};
use crate::input::Input;
use crate::{Depth, Dtype, Element, Error, Finding, Kind, Limits, Result, Rule, Severity, gzip};
use ndarray::{ArrayD, ArrayViewD, IxDyn};
use ndbytes_schemas::Endian;
use ndbytes_schemas::idx::{self as layout, ElementType};
use std::io::Read;
use std::path::Path;

/// Opens a file; plain files are mapped when a view is asked for.
///
/// # Errors
/// [`Error::Invalid`] if the file breaks a rule of severity error, [`Error::Io`] if it cannot be read.
pub fn open(path: impl AsRef<Path>) -> Result<Idx<'static>> {
    Options::new().open(path)
}

/// Reads a file that is in memory.
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

/// Something that IDX forbids and that a caller may tolerate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Leniency {
    /// Bytes behind the payload are ignored.
    TrailingBytes,
    /// Of a payload that is too short, the whole items are read: the first extent shrinks. A gzip file that ends too
    /// early counts too; what could be inflated of it has no check sum.
    TruncatedTail,
    /// The elements are taken for little-endian.
    LittleEndianPayload,
    /// A header whose words are reversed is read as if they were not.
    LittleEndianHeader,
}

/// How to read IDX files: what to tolerate, and at what cost.
#[derive(Debug, Clone, Default)]
pub struct Options {
    pub(super) trailing_bytes: bool,
    truncated_tail: bool,
    pub(super) little_endian_payload: bool,
    pub(super) little_endian_header: bool,
    pub(super) raw: bool,
    limits: Limits,
}

macro_rules! tolerances {
    ($($(#[$doc:meta])* $name:ident),*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(mut self, tolerate: bool) -> Self {
            self.$name = tolerate;
            self
        }
    )*};
}

impl Options {
    /// Tolerates nothing.
    pub fn new() -> Self {
        Options::default()
    }

    tolerances! {
        /// Ignores bytes behind the payload.
        trailing_bytes,
        /// Reads the whole items of a payload that is too short; the first extent shrinks to their number.
        truncated_tail,
        /// Takes the elements for little-endian, as several writers leave them. Nothing in a file tells.
        little_endian_payload,
        /// Reads a header whose words are little-endian.
        little_endian_header,
        /// Demands the array itself: a gzip file is refused.
        raw
    }

    /// Sets what the file may cost.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Opens a file, as [`open`] does.
    ///
    /// # Errors
    /// As for [`open`].
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Idx<'static>> {
        self.read(Input::open(path, self.limits)?)
    }

    /// Reads a file that is in memory.
    ///
    /// # Errors
    /// As for [`open`].
    #[allow(clippy::wrong_self_convention, reason = "the options say how to read from a slice")]
    pub fn from_slice<'a>(&self, bytes: &'a [u8]) -> Result<Idx<'a>> {
        self.read(Input::from_slice(bytes, self.limits))
    }

    /// Reads a stream to its end.
    ///
    /// # Errors
    /// As for [`open`].
    #[allow(clippy::wrong_self_convention, reason = "the options say how to read from a stream")]
    pub fn from_reader(&self, reader: impl Read) -> Result<Idx<'static>> {
        self.read(Input::from_reader(reader, self.limits)?)
    }

    pub(crate) fn read<'a>(&self, input: Input<'a>) -> Result<Idx<'a>> {
        let examined = examine(input, self, Depth::Payload)?;
        let mut leniencies = Vec::new();
        let mut warnings = Vec::new();
        let scalar = examined.header.as_ref().is_some_and(|header| header.dims.is_empty());
        for finding in examined.findings {
            match (self.tolerates(finding.rule), finding.rule.severity) {
                // There are no whole items of a scalar.
                (Some(Leniency::TruncatedTail), _) if scalar => return Err(finding.into()),
                (Some(leniency), _) if leniencies.contains(&leniency) => {}
                (Some(leniency), _) => leniencies.push(leniency),
                (None, Some(Severity::Error)) => return Err(finding.into()),
                (None, Some(Severity::Warning)) => warnings.push(finding),
                (None, None) => {}
            }
        }
        if self.little_endian_payload {
            leniencies.push(Leniency::LittleEndianPayload);
        }
        let header = examined.header.expect("a header that could not be read is an error");
        Ok(Idx::new(header, examined.content, self.payload_order(), leniencies, warnings))
    }

    /// The tolerance that was asked for and covers a rule.
    pub(super) fn tolerates(&self, rule: &Rule) -> Option<Leniency> {
        let tolerated = [
            (self.trailing_bytes, &rules::TRAILING_BYTES, Leniency::TrailingBytes),
            (self.truncated_tail, &rules::TRUNCATED_PAYLOAD, Leniency::TruncatedTail),
            (self.truncated_tail, &gzip::TRUNCATED, Leniency::TruncatedTail),
            (self.little_endian_header, &rules::LITTLE_ENDIAN_HEADER, Leniency::LittleEndianHeader),
        ];
        tolerated.into_iter().find(|(asked, about, _)| *asked && *about == rule).map(|(_, _, leniency)| leniency)
    }

    fn payload_order(&self) -> Endian {
        if self.little_endian_payload { Endian::Little } else { Endian::Big }
    }
}

/// An IDX file that was opened.
#[derive(Debug)]
pub struct Idx<'a> {
    header: layout::Idx,
    shape: Vec<usize>,
    elements: Elements<'a>,
    leniencies: Vec<Leniency>,
    warnings: Vec<Finding>,
}

impl<'a> Idx<'a> {
    fn new(
        header: layout::Idx,
        content: Input<'a>,
        endian: Endian,
        leniencies: Vec<Leniency>,
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
        Idx { header, shape, elements, leniencies, warnings }
    }

    /// Extent of each axis, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The type of the elements and the order of their bytes.
    pub fn dtype(&self) -> Dtype {
        self.elements.dtype
    }

    /// The header, as it stands in the file.
    pub fn header(&self) -> &layout::Idx {
        &self.header
    }

    /// The tolerances that were needed, or chosen, to read this file.
    pub fn leniencies(&self) -> &[Leniency] {
        &self.leniencies
    }

    /// What was found that does not stand in the way.
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// The bytes of all elements, as they stand in the file, row-major.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be mapped.
    pub fn bytes(&self) -> Result<&[u8]> {
        self.elements.bytes()
    }

    /// The array where it stands. That is possible for `u8` and `i8`: all other elements are big-endian.
    ///
    /// # Errors
    /// [`Error::WrongType`] if the elements are not `T`, [`Error::NoView`] if their bytes have to be swapped.
    pub fn view<T: Element>(&self) -> Result<ArrayViewD<'_, T>> {
        Ok(shaped(&self.shape, self.elements.view()?))
    }

    /// The array in memory of its own, in native byte order; the bits of every float as they are.
    ///
    /// # Errors
    /// [`Error::WrongType`] if the elements are not `T`, [`Error::Limit`] if there is no memory, [`Error::Io`].
    pub fn to_array<T: Element>(&self) -> Result<ArrayD<T>> {
        let elements = self.elements.to_vec()?;
        Ok(ArrayD::from_shape_vec(IxDyn(&self.shape), elements)
            .expect("the shape was checked when the file was opened"))
    }

    /// The elements in a vector, row-major, in native byte order.
    ///
    /// # Errors
    /// As for [`Idx::to_array`].
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.elements.to_vec()
    }

    /// Copies the elements, row-major, in native byte order.
    ///
    /// # Errors
    /// As for [`Idx::to_array`], and [`Error::BufferLength`] if the buffer has not as many elements as the array.
    pub fn read_into<T: Element>(&self, buffer: &mut [T]) -> Result<()> {
        self.elements.read_into(buffer)
    }

    /// The items along the first axis, where they stand.
    ///
    /// # Errors
    /// As for [`Idx::view`]; a scalar has no items.
    pub fn items<T: Element>(&self) -> Result<Items<'_, T>> {
        let (length, shape) = self.split_shape()?;
        Ok(Items { elements: self.elements.view()?, size: shape.iter().product(), length, shape })
    }

    /// One item along the first axis, in memory of its own. Only its bytes are read.
    ///
    /// # Errors
    /// [`Error::OutOfRange`], and as for [`Idx::to_array`].
    pub fn item<T: Element>(&self, index: usize) -> Result<ArrayD<T>> {
        let (length, shape) = self.split_shape()?;
        if index >= length {
            return Err(Error::OutOfRange { index: index as u64, length: length as u64 });
        }
        let size = shape.iter().product::<usize>() as u64;
        let elements = self.elements.range_to_vec(index as u64 * size..(index as u64 + 1) * size)?;
        Ok(ArrayD::from_shape_vec(IxDyn(shape), elements).expect("a part of a shape that was checked"))
    }

    /// The number of items along the first axis, and the shape of one.
    fn split_shape(&self) -> Result<(usize, &[usize])> {
        match &self.shape[..] {
            [length, shape @ ..] => Ok((*length, shape)),
            [] => Err(Error::OutOfRange { index: 0, length: 0 }),
        }
    }

    pub(crate) fn elements(&self) -> &Elements<'a> {
        &self.elements
    }
}

/// The items of an array along its first axis, in place.
#[derive(Debug, Clone, Copy)]
pub struct Items<'a, T> {
    elements: &'a [T],
    size: usize,
    length: usize,
    shape: &'a [usize],
}

impl<'a, T> Items<'a, T> {
    /// The elements of one item, row-major.
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
        let Items { elements, size, .. } = *self;
        (0..self.length).map(move |index| &elements[index * size..(index + 1) * size])
    }
}

fn shaped<'a, T>(shape: &[usize], elements: &'a [T]) -> ArrayViewD<'a, T> {
    ArrayViewD::from_shape(IxDyn(shape), elements).expect("the shape was checked when the file was opened")
}

/// What the elements of a type are, as the format has them.
pub(crate) fn dtype(element_type: ElementType) -> Dtype {
    let kind = match element_type {
        ElementType::U8 => Kind::U8,
        ElementType::I8 => Kind::I8,
        ElementType::I16 => Kind::I16,
        ElementType::I32 => Kind::I32,
        ElementType::F32 => Kind::F32,
        ElementType::F64 => Kind::F64,
    };
    Dtype::new(kind, Endian::Big)
}
