//! Writing RawArray files.

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
use everybyte::{Endian, Region, Rest};
use half::{bf16, f16};
use ndarray::{ArrayRef, Dimension};
use ndbytes_schemas::rawarray as layout;
use ndbytes_schemas::rawarray::{Eltype, Flags};
use num_complex::Complex;
use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

/// The file, in messages.
const FILE: &str = "the RawArray file";

/// LZ4's own limit on the content of one block.
const LZ4_MAX: usize = 0x7E00_0000;

/// A Rust type that RawArray has a class of elements for: all numbers that ndbytes reads, and `bool`.
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

/// Writes an array to a file, atomically, little-endian. `order` is the order in which its axes are stored: with
/// [`Order::Fortran`], `dims` is the shape and the elements are put in column-major order. With [`Order::C`], `dims` is
/// the shape reversed and the elements stay row-major.
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

/// A writer of RawArray files, with its options.
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
    /// Plain files without metadata.
    pub fn new() -> Self {
        Writer::default()
    }

    /// Compresses the elements to one LZ4 block, as the C program does. If the block would be exactly as long as the
    /// elements, they stay plain: a reader could not tell that block from Julia's encoding.
    #[must_use]
    pub fn lz4(self, lz4: bool) -> Self {
        Writer { lz4, ..self }
    }

    /// Appends bytes after the elements. Readers ignore them; the `rawarray` crate fails on them.
    #[must_use]
    pub fn metadata(self, metadata: impl Into<Vec<u8>>) -> Self {
        Writer { metadata: metadata.into(), ..self }
    }

    /// Keeps a file's metadata when it is written again by [`Writer::rewrite`], before any that are appended.
    #[must_use]
    pub fn keep_metadata(self, keep: bool) -> Self {
        Writer { keep_metadata: keep, ..self }
    }

    /// Writes an array to a file, as [`write()`] does.
    ///
    /// # Errors
    /// As for [`write()`], and [`Error::Inexpressible`] if LZ4 is asked for and the elements are over 2,113,929,216 bytes.
    pub fn write<T: RawArrayElement, D: Dimension>(
        &self,
        path: impl AsRef<Path>,
        array: &ArrayRef<T, D>,
        order: Order,
    ) -> Result<()> {
        self.write_class(path.as_ref(), T::ELTYPE, array, order)
    }

    /// Writes an array of records, of class 0: plain data of any width whose meaning the file does not state.
    ///
    /// # Errors
    /// As for [`Writer::write`], and [`Error::Inexpressible`] for records without bytes.
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

    /// Writes a file again: plain or compressed as this writer is set, little-endian, with its metadata if they are to be
    /// kept. A bit array becomes an array of Bool.
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

    /// Writes items whose type is known at run time to a file, atomically, little-endian, in their C order. As with
    /// [`Order::C`], `dims` is their shape reversed. Those of a transposed array make the file that [`Order::Fortran`]
    /// makes of the array. Bits become `Bool`.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] if RawArray has no class for the items, and if LZ4 is requested, which takes a whole
    /// array. [`Error::Invalid`] with the rule `limit-exceeded` if they take more than [`Limits::output`]. As for
    /// [`Items::read`]. [`Error::Io`].
    pub fn write_items(&self, path: impl AsRef<Path>, items: &mut dyn Items, limits: &Limits) -> Result<()> {
        write_file(path.as_ref(), |file| self.items_to(file, items, limits))
    }

    /// Writes items whose type is known at run time to a stream.
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

    /// Writes header, elements, and metadata. `bytes` are the elements, little-endian.
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

/// The plain type of items, and the class that holds it.
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

/// One LZ4 block, or `None` if its length would be mistaken for that of plain elements.
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
