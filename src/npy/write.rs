//! Writes `.npy` files.

use crate::arrays::items::Items;
use crate::arrays::npy;
use crate::arrays::sink::{Sink, Stream};
use crate::bytes::atomic::write_file;
use crate::bytes::limits::Limits;
use crate::bytes::swap::swap_in_place;
use crate::error::Result;
use crate::types::dtype::{Dtype, Element, ElementKind};
use bytemuck::NoUninit;
use everybyte::Endian;
use ndarray::{ArrayRef, Dimension};
use std::io::Write;
use std::path::Path;

/// The number of elements that are gathered and written at once.
const PIECE: usize = 64 << 10;

/// A Rust type that can be written: every [`Element`], and `bool`. NumPy does not have `i128`, `u128`, `bf16` or `Complex<f16>`,
/// which become structures of their parts or raw bytes.
///
/// ```
/// use ndbytes::npy::{NpyElement, Writer};
/// use ndbytes::{ElementKind, Result};
///
/// /// A file with a single item.
/// fn single<T: NpyElement>(item: T) -> Result<Vec<u8>> {
///     Writer::new().to_vec(&ndarray::arr0(item))
/// }
///
/// assert_eq!(<bool as NpyElement>::KIND, ElementKind::Bool);
/// assert!(single(true)?.ends_with(&[1]));
/// # Ok::<(), ndbytes::Error>(())
/// ```
pub trait NpyElement: NoUninit + sealed::Sealed {
    /// The corresponding element type.
    const KIND: ElementKind;
}

mod sealed {
    pub trait Sealed {}
}

impl<T: Element> sealed::Sealed for T {}
impl<T: Element> NpyElement for T {
    const KIND: ElementKind = T::KIND;
}
impl sealed::Sealed for bool {}
impl NpyElement for bool {
    const KIND: ElementKind = ElementKind::Bool;
}

/// Writes an array to a file atomically, in C order and native byte order.
///
/// # Errors
/// [`Error::Inexpressible`](crate::Error::Inexpressible) for more than 64 axes; [`Error::Io`](crate::Error::Io).
pub fn write<T: NpyElement, D: Dimension>(path: impl AsRef<Path>, array: &ArrayRef<T, D>) -> Result<()> {
    Writer::new().write(path, array)
}

/// Writes items of any type to a file atomically, in C order. If the items are subarrays, their axes are added to the shape.
///
/// # Errors
/// As for `write_npy` of [`Items`].
pub fn write_items(path: impl AsRef<Path>, items: &mut dyn Items, limits: &Limits) -> Result<()> {
    Writer::new().write_items(path, items, limits)
}

/// Writes `.npy` files with the given options.
///
/// ```
/// use ndbytes::npy::{self, Writer};
///
/// let mut bytes = Vec::new();
/// Writer::new().fortran_order(true).write_to(&mut bytes, &ndarray::arr2(&[[true, false], [true, true]]))?;
/// assert!(npy::from_slice(&bytes)?.is_fortran_order());
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Writer {
    fortran_order: bool,
}

impl Writer {
    /// Creates a writer of arrays in C order.
    pub fn new() -> Self {
        Writer::default()
    }

    /// Sets whether elements are stored with the first axis varying fastest.
    #[must_use]
    pub fn fortran_order(self, fortran_order: bool) -> Self {
        Writer { fortran_order }
    }

    /// Writes an array to a file atomically.
    ///
    /// # Errors
    /// As for [`write()`].
    pub fn write<T: NpyElement, D: Dimension>(&self, path: impl AsRef<Path>, array: &ArrayRef<T, D>) -> Result<()> {
        write_file(path.as_ref(), |file| self.write_array(file, array))
    }

    /// Returns the bytes of the file that [`Writer::write`] would write.
    ///
    /// # Errors
    /// As for [`write()`].
    pub fn to_vec<T: NpyElement, D: Dimension>(&self, array: &ArrayRef<T, D>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.write_to(&mut bytes, array)?;
        Ok(bytes)
    }

    /// Writes an array to a stream.
    ///
    /// # Errors
    /// As for [`write()`].
    pub fn write_to<T: NpyElement, D: Dimension>(&self, to: impl Write, array: &ArrayRef<T, D>) -> Result<()> {
        self.write_array(&mut Stream(to), array)
    }

    /// Writes items of any type to a file atomically. For Fortran order, pass the items of the transposed array: their first axis
    /// is the last axis of the written array.
    ///
    /// # Errors
    /// As for `write_npy` of [`Items`]; also [`Error::Inexpressible`](crate::Error::Inexpressible) for subarrays in Fortran order.
    pub fn write_items(&self, path: impl AsRef<Path>, items: &mut dyn Items, limits: &Limits) -> Result<()> {
        write_file(path.as_ref(), |file| npy::write_items(file, items, self.fortran_order, limits))
    }

    /// Writes items of any type to a stream.
    ///
    /// # Errors
    /// As for [`Writer::write_items`].
    pub fn write_items_to(&self, to: impl Write, items: &mut dyn Items, limits: &Limits) -> Result<()> {
        npy::write_items(&mut Stream(to), items, self.fortran_order, limits)
    }

    fn write_array<T: NpyElement, D: Dimension>(&self, to: &mut dyn Sink, array: &ArrayRef<T, D>) -> Result<()> {
        let dtype = Dtype::new(T::KIND, Endian::NATIVE);
        let shape: Vec<u64> = array.shape().iter().map(|&extent| extent as u64).collect();
        let header = npy::header(&npy::descr(dtype), &shape, self.fortran_order)?;
        to.expect((header.len() + array.len() * size_of::<T>()) as u64)?;
        to.write_all(&header)?;
        let stored = if self.fortran_order { array.t() } else { array.view() };
        if let (Some(elements), false) = (stored.as_slice(), npy::is_swapped(dtype)) {
            to.write_all(bytemuck::cast_slice(elements))?;
            return Ok(to.flush()?);
        }
        let mut elements = stored.iter().copied();
        loop {
            let piece: Vec<T> = elements.by_ref().take(PIECE).collect();
            if piece.is_empty() {
                return Ok(to.flush()?);
            }
            let mut bytes = bytemuck::cast_slice(&piece).to_vec();
            if npy::is_swapped(dtype) {
                swap_in_place(&mut bytes, T::KIND.swapped());
            }
            to.write_all(&bytes)?;
        }
    }
}
