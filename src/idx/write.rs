//! Writes IDX files.

use super::elements::{IdxElement, header_of, inexpressible, write_elements};
use super::open::dtype;
use crate::arrays::items::Items;
use crate::arrays::sink::{Sink, Stream, begin, length, write_swapped};
use crate::bytes::atomic::{AtomicFile, write_file};
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::gzip::write_gzip;
use crate::types::item_type::ItemType;
use everybyte::Endian;
use ndarray::{ArrayRef, Dimension};
use ndbytes_schemas::idx::ElementType;
use std::io::Write;
use std::path::Path;

/// What messages call the file.
const FILE: &str = "the IDX file";

/// Writes an array to a file atomically, as row-major and big-endian.
///
/// # Errors
/// [`Error::Inexpressible`](crate::Error::Inexpressible) if the array has no axes, more than 255 axes, or an axis longer than 2³² −
/// 1; [`Error::Io`](crate::Error::Io).
pub fn write<T: IdxElement, D: Dimension>(path: impl AsRef<Path>, array: &ArrayRef<T, D>) -> Result<()> {
    Writer::new().write(path, array)
}

/// Writes IDX files with the given options.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("labels-idx1-ubyte.gz");
/// use ndbytes::idx::Writer;
///
/// let labels = ndarray::arr1(&[5_u8, 0, 4]);
/// Writer::new().gzip(true).write(&path, &labels)?;            // atomically: whole, or not at all
/// assert_eq!(ndbytes::read::<u8>(&path)?, labels.into_dyn());
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// For an unknown number of items, use [`StreamWriter`](crate::idx::StreamWriter).
#[derive(Debug, Clone, Default)]
pub struct Writer {
    gzip: bool,
    scalars: bool,
}

impl Writer {
    /// Creates a writer of uncompressed files.
    pub fn new() -> Self {
        Writer::default()
    }

    /// Compresses the file with gzip. The same array always produces the same bytes.
    #[must_use]
    pub fn gzip(self, gzip: bool) -> Self {
        Writer { gzip, ..self }
    }

    /// Also writes arrays without axes. The grammar allows them, but many readers cannot read them.
    #[must_use]
    pub fn scalars(self, scalars: bool) -> Self {
        Writer { scalars, ..self }
    }

    /// Writes an array to a file atomically.
    ///
    /// # Errors
    /// As for [`write()`].
    pub fn write<T: IdxElement, D: Dimension>(&self, path: impl AsRef<Path>, array: &ArrayRef<T, D>) -> Result<()> {
        let header = self.header::<T>(array.shape())?;
        let mut file = AtomicFile::create(path.as_ref())?;
        if !self.gzip {
            file.ensure_room((header.len() + array.len() * size_of::<T>()) as u64)?;
        }
        self.write_to(&mut file, array).map_err(|error| error.at(path.as_ref()))?;
        file.commit()
    }

    /// Returns the bytes of the file that [`Writer::write`] would write.
    ///
    /// # Errors
    /// As for [`write()`].
    pub fn to_vec<T: IdxElement, D: Dimension>(&self, array: &ArrayRef<T, D>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.write_to(&mut bytes, array)?;
        Ok(bytes)
    }

    /// Writes an array to a stream.
    ///
    /// # Errors
    /// As for [`write()`].
    pub fn write_to<T: IdxElement, D: Dimension>(&self, mut to: impl Write, array: &ArrayRef<T, D>) -> Result<()> {
        let header = self.header::<T>(array.shape())?;
        if self.gzip {
            return write_gzip(to, &header, |stream| write_elements(stream, array));
        }
        to.write_all(&header)?;
        write_elements(&mut to, array)?;
        Ok(to.flush()?)
    }

    /// Writes items of a type that is known at run time to a file atomically, in C order.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("first-day.idx");
    /// # let stored = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/temperatures.b2nd");
    /// use ndbytes::{Limits, idx};
    ///
    /// let temperatures = ndbytes::open(stored)?.into_array()?;
    /// let mut day = temperatures.select(ndarray::s![..24, ..])?;
    /// idx::Writer::new().write_items(&path, &mut *day, &Limits::default())?;
    /// # Ok::<(), ndbytes::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`write()`]. [`Error::Inexpressible`](crate::Error::Inexpressible) if IDX does not have the element type.
    /// [`Error::Invalid`](crate::Error::Invalid) with the `limit-exceeded` rule if they exceed [`Limits::output`].
    /// Otherwise, as for [`Items::read`].
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
        let (element_type, width) = stored_as(items.item_type())?;
        let header = self.header_of(element_type, items.shape())?;
        let bytes = length(items);
        if self.gzip {
            limits.ensure_output(FILE, bytes.saturating_add(header.len() as u64))?;
            return write_gzip(to, &header, |stream| write_swapped(&mut Stream(stream), items, width, limits));
        }
        begin(to, FILE, &header, bytes, limits)?;
        write_swapped(to, items, width, limits)
    }

    fn header<T: IdxElement>(&self, shape: &[usize]) -> Result<Vec<u8>> {
        self.header_of(T::ELEMENT_TYPE, shape)
    }

    fn header_of(&self, element_type: ElementType, shape: &[usize]) -> Result<Vec<u8>> {
        if shape.is_empty() && !self.scalars {
            return Err(inexpressible("an array without axes (ask for `Writer::scalars`)"));
        }
        header_of(element_type, shape)
    }
}

/// Returns the element type of items and the number of bytes per unit that must be swapped.
fn stored_as(item_type: &ItemType) -> Result<(ElementType, u64)> {
    let ItemType::Plain(from) = item_type else {
        return Err(inexpressible(format!("items of {item_type}")));
    };
    let element_type = ElementType::ALL.iter().copied().find(|one| dtype(*one).kind == from.kind);
    let element_type = element_type.ok_or_else(|| inexpressible(format!("elements of {}", from.kind)))?;
    Ok((element_type, if from.endian == Endian::Big { 1 } else { from.kind.swapped() }))
}
