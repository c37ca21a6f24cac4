//! Writes RawArray files.

use super::{Order, RawArray};
use crate::arrays::items::Items;
use crate::arrays::sink::{Sink, Stream, begin, length, write_swapped};
use crate::bytes::atomic::{AtomicFile, write_file};
use crate::bytes::limits::Limits;
use crate::bytes::swap::swap_in_place;
use crate::error::{Error, Result};
use crate::types::dtype::{Dtype, ElementKind};
use crate::types::item_type::ItemType;
use bytemuck::NoUninit;
use everybyte::{
    Endian,
    bytes::{Region, Rest},
};
use half::{bf16, f16};
use ndarray::{ArrayRef, Dimension};
use ndbytes_schemas::rawarray as layout;
use ndbytes_schemas::rawarray::{Eltype, Flags};
use num_complex::Complex;
use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

/// What messages call the file.
const FILE: &str = "the RawArray file";

/// The limit that LZ4 sets on the content of one block.
const LZ4_MAX: usize = 0x7E00_0000;

/// A Rust type that RawArray can store: every number type that ndbytes reads, and `bool`.
///
/// ```
/// use ndbytes::rawarray::RawArrayElement;
/// use ndbytes::schemas::rawarray::Eltype;
///
/// assert_eq!([<u8 as RawArrayElement>::ELTYPE, <i16 as RawArrayElement>::ELTYPE], [Eltype::Unsigned, Eltype::Signed]);
/// assert_eq!(<bool as RawArrayElement>::ELTYPE, Eltype::Disputed); // a class of several meanings
/// ```
pub trait RawArrayElement: NoUninit + sealed::Sealed {
    /// The class.
    const ELTYPE: Eltype;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! rawarray_elements {
    ($($element:ty => $eltype:ident),* $(,)?) => {$(
        impl sealed::Sealed for $element {}
        impl RawArrayElement for $element {
            const ELTYPE: Eltype = Eltype::$eltype;
        }
    )*};
}

rawarray_elements! {
    i8 => Signed, i16 => Signed, i32 => Signed, i64 => Signed, i128 => Signed,
    u8 => Unsigned, u16 => Unsigned, u32 => Unsigned, u64 => Unsigned, u128 => Unsigned,
    f16 => Float, f32 => Float, f64 => Float,
    Complex<f16> => Complex, Complex<f32> => Complex, Complex<f64> => Complex,
    bf16 => Disputed, bool => Disputed,
}

/// Writes an array to a file atomically, as little-endian. `order` is the order in which the axes are stored. With
/// [`Order::Fortran`], `dims` is the shape, and the elements are reordered to column-major. With [`Order::C`], `dims` is the
/// reversed shape, and the elements stay row-major.
///
/// # Errors
/// [`Error::Io`].
pub fn write<T: RawArrayElement, D: Dimension>(
    path: impl AsRef<Path>,
    array: &ArrayRef<T, D>,
    order: Order,
) -> Result<()> {
    Writer::new().write(path, array, order)
}

/// Writes RawArray files with the given options.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("a.ra");
/// use ndbytes::rawarray::{self, Order, Writer};
///
/// let writer = Writer::new().lz4(true).metadata("unit: m");
/// writer.write(&path, &ndarray::Array3::<f64>::zeros((8, 8, 8)), Order::C)?;
/// assert_eq!(rawarray::open(&path)?.metadata()?, b"unit: m");
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Writer {
    lz4: bool,
    metadata: Vec<u8>,
    keep_metadata: bool,
}

impl Writer {
    /// Creates a writer of uncompressed files without metadata.
    pub fn new() -> Self {
        Writer::default()
    }

    /// Compresses the elements to one LZ4 block, as the C program does. If the block would be exactly as long as the elements, they
    /// are not compressed, because a reader could not distinguish the block from Julia's encoding.
    #[must_use]
    pub fn lz4(self, lz4: bool) -> Self {
        Writer { lz4, ..self }
    }

    /// Appends bytes after the elements. Readers ignore them, except for the `rawarray` crate, which refuses them.
    #[must_use]
    pub fn metadata(self, metadata: impl Into<Vec<u8>>) -> Self {
        Writer { metadata: metadata.into(), ..self }
    }

    /// Sets whether [`Writer::rewrite`] keeps the metadata of the original file, which then precedes any appended metadata.
    #[must_use]
    pub fn keep_metadata(self, keep: bool) -> Self {
        Writer { keep_metadata: keep, ..self }
    }

    /// Writes an array to a file, like [`write()`].
    ///
    /// # Errors
    /// As for [`write()`]; also [`Error::Inexpressible`] if LZ4 is requested and the elements exceed 2,113,929,216 bytes.
    pub fn write<T: RawArrayElement, D: Dimension>(
        &self,
        path: impl AsRef<Path>,
        array: &ArrayRef<T, D>,
        order: Order,
    ) -> Result<()> {
        self.write_class(path.as_ref(), T::ELTYPE, array, order)
    }

    /// Writes an array of records (class 0): plain data of any size, whose meaning the file does not state.
    ///
    /// # Errors
    /// As for [`Writer::write`]; also [`Error::Inexpressible`] for zero-size records.
    pub fn write_records<T: NoUninit, D: Dimension>(
        &self,
        path: impl AsRef<Path>,
        array: &ArrayRef<T, D>,
        order: Order,
    ) -> Result<()> {
        if size_of::<T>() == 0 {
            return Err(inexpressible("elements without bytes"));
        }
        self.write_class(path.as_ref(), Eltype::Record, array, order)
    }

    /// Rewrites a file as little-endian, uncompressed or compressed according to this writer, with its metadata if requested. A bit
    /// array becomes an array of `Bool`.
    ///
    /// # Errors
    /// As for [`Writer::write`].
    pub fn rewrite(&self, path: impl AsRef<Path>, array: &RawArray<'_>) -> Result<()> {
        let (dtype, old) = (array.dtype(), array.header());
        let (eltype, elbyte) =
            if dtype.kind == ElementKind::Bit { (Eltype::Disputed, 1) } else { (old.eltype, old.elbyte) };
        let mut bytes = Cow::Borrowed(array.bytes()?);
        if dtype.endian == Endian::Big {
            swap_in_place(bytes.to_mut(), dtype.kind.swapped());
        }
        let kept = if self.keep_metadata { array.metadata()? } else { &[] };
        self.write_file(path.as_ref(), eltype, elbyte, &old.dims, &bytes, kept)
    }

    /// Writes items of a type that is known at run time to a file atomically, as little-endian and in C order. As with
    /// [`Order::C`], `dims` is the reversed shape. The items of a transposed array produce the same file as the array with
    /// [`Order::Fortran`]. Bits become `Bool`.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] if RawArray has no class for the items, or if LZ4 is requested, which requires the whole array at
    /// once. [`Error::Invalid`] with the `limit-exceeded` rule if they exceed [`Limits::output`]. Otherwise, as for
    /// [`Items::read`]. [`Error::Io`].
    pub fn write_items(&self, path: impl AsRef<Path>, items: &mut dyn Items, limits: &Limits) -> Result<()> {
        write_file(path.as_ref(), |file| self.items_to(file, items, limits))
    }

    /// Writes items of a type that is known at run time to a stream.
    ///
    /// # Errors
    /// As for [`Writer::write_items`].
    pub fn write_items_to(&self, to: impl Write, items: &mut dyn Items, limits: &Limits) -> Result<()> {
        self.items_to(&mut Stream(to), items, limits)
    }

    fn items_to(&self, to: &mut dyn Sink, items: &mut dyn Items, limits: &Limits) -> Result<()> {
        if self.lz4 {
            return Err(inexpressible("items that are compressed with LZ4 one after the other"));
        }
        let item_type = items.item_type();
        let (dtype, eltype) = stored_as(item_type)?;
        let (elbyte, bytes) = (item_type.stride(), length(items));
        let dims = items.shape().iter().rev().map(|&extent| extent as u64).collect();
        let header = header(false, eltype, elbyte, bytes, dims);
        begin(to, FILE, &header, bytes.saturating_add(self.metadata.len() as u64), limits)?;
        let width = if dtype.endian == Endian::Big { dtype.kind.swapped() } else { 1 };
        write_swapped(to, items, width, limits)?;
        to.write_all(&self.metadata)?;
        Ok(to.flush()?)
    }

    fn write_class<T: NoUninit, D: Dimension>(
        &self,
        path: &Path,
        eltype: Eltype,
        array: &ArrayRef<T, D>,
        order: Order,
    ) -> Result<()> {
        let mut dims: Vec<u64> = array.shape().iter().map(|&extent| extent as u64).collect();
        let stored = match order {
            Order::Fortran => array.t(),
            Order::C => {
                dims.reverse();
                array.view()
            }
        };
        let elements = match stored.as_slice() {
            Some(elements) => Cow::Borrowed(elements),
            None => Cow::Owned(stored.iter().copied().collect()),
        };
        let mut bytes = Cow::Borrowed(bytemuck::cast_slice(&elements));
        if Endian::NATIVE == Endian::Big && eltype != Eltype::Record {
            let parts = if eltype == Eltype::Complex { 2 } else { 1 };
            swap_in_place(bytes.to_mut(), size_of::<T>() as u64 / parts);
        }
        self.write_file(path, eltype, size_of::<T>() as u64, &dims, &bytes, &[])
    }

    /// Writes the header, the elements and the metadata. `bytes` contains the elements, little-endian.
    fn write_file(
        &self,
        path: &Path,
        eltype: Eltype,
        elbyte: u64,
        dims: &[u64],
        bytes: &[u8],
        kept: &[u8],
    ) -> Result<()> {
        let compressed = if self.lz4 { compress(bytes)? } else { None };
        let stored = compressed.as_deref().unwrap_or(bytes);
        let header = header(compressed.is_some(), eltype, elbyte, stored.len() as u64, dims.to_vec());
        let mut file = AtomicFile::create(path)?;
        let parts = [&header, stored, kept, &self.metadata];
        file.ensure_room(parts.iter().map(|part| part.len() as u64).sum())?;
        parts.into_iter().try_for_each(|part| file.write_all(part)).map_err(|error| Error::io(path, error))?;
        file.commit()
    }
}

fn header(encoded: bool, eltype: Eltype, elbyte: u64, size: u64, dims: Vec<u64>) -> Vec<u8> {
    let flags = Flags::new().with_encoded(encoded);
    let (data, metadata) = (Region::default(), Rest::default());
    let header = layout::RawArray { flags, eltype, elbyte, size, dims, data, metadata };
    everybyte::write(&header, Endian::Little).expect("the layout has room for any array")
}

fn inexpressible(what: impl Into<String>) -> Error {
    Error::Inexpressible { format: "RawArray", what: what.into() }
}

/// Returns the plain type of items and the class that contains it.
fn stored_as(item_type: &ItemType) -> Result<(Dtype, Eltype)> {
    let ItemType::Plain(dtype) = item_type else {
        return Err(inexpressible(format!("items of {item_type}")));
    };
    let eltype = match dtype.kind {
        ElementKind::I8 | ElementKind::I16 | ElementKind::I32 | ElementKind::I64 | ElementKind::I128 => Eltype::Signed,
        ElementKind::U8 | ElementKind::U16 | ElementKind::U32 | ElementKind::U64 | ElementKind::U128 => {
            Eltype::Unsigned
        }
        ElementKind::F16 | ElementKind::F32 | ElementKind::F64 => Eltype::Float,
        ElementKind::Complex32 | ElementKind::Complex64 | ElementKind::Complex128 => Eltype::Complex,
        ElementKind::Bf16 | ElementKind::Bool | ElementKind::Bit => Eltype::Disputed,
        ElementKind::Record(1..) => Eltype::Record,
        kind => return Err(inexpressible(format!("elements of {kind} ({})", dtype.descr()))),
    };
    Ok((*dtype, eltype))
}

/// Returns one LZ4 block, or `None` if its length would be mistaken for the length of plain elements.
fn compress(bytes: &[u8]) -> Result<Option<Vec<u8>>> {
    if bytes.len() > LZ4_MAX {
        return Err(inexpressible(format!(
            "an LZ4 block of {} bytes, which exceed the maximum of {LZ4_MAX}",
            bytes.len()
        )));
    }
    let block = lz4_flex::block::compress(bytes);
    Ok((block.len() != bytes.len() && !bytes.is_empty()).then_some(block))
}
