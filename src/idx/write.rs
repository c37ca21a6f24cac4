//! Writing IDX files.

use super::elements::{IdxElement, header, inexpressible, write_elements};
#[cfg(feature = "gzip")]
use super::gzip::write::write_gzip;
use crate::bytes::atomic::AtomicFile;
use crate::error::Result;
use ndarray::{ArrayRef, Dimension};
use std::io::Write;
use std::path::Path;

/// Writes an array to a file: atomically, row-major, big-endian.
///
/// # Errors
/// [`Error::Inexpressible`](crate::Error::Inexpressible) if the array has no axes, more than 255, or an extent over 2³² − 1; [`Error::Io`](crate::Error::Io).
pub fn write<T: IdxElement, D: Dimension>(path: impl AsRef<Path>, array: &ArrayRef<T, D>) -> Result<()> {
    Writer::new().write(path, array)
}

/// A writer of IDX files, with its options.
#[derive(Debug, Clone, Default)]
pub struct Writer {
    gzip: bool,
    scalars: bool,
}

impl Writer {
    /// Plain files.
    pub fn new() -> Self {
        Writer::default()
    }

    /// Compresses the file with gzip. The same array gives the same bytes.
    #[cfg(feature = "gzip")]
    #[must_use]
    pub fn gzip(self, gzip: bool) -> Self {
        Writer { gzip, ..self }
    }

    /// Writes arrays without axes too: the grammar allows them, but many readers fail on them.
    #[must_use]
    pub fn scalars(self, scalars: bool) -> Self {
        Writer { scalars, ..self }
    }

    /// Writes an array to a file, atomically.
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

    /// Writes an array to a stream.
    ///
    /// # Errors
    /// As for [`write()`].
    pub fn write_to<T: IdxElement, D: Dimension>(&self, mut to: impl Write, array: &ArrayRef<T, D>) -> Result<()> {
        let header = self.header::<T>(array.shape())?;
        #[cfg(feature = "gzip")]
        if self.gzip {
            return write_gzip(to, &header, array);
        }
        to.write_all(&header)?;
        write_elements(&mut to, array)?;
        Ok(to.flush()?)
    }

    fn header<T: IdxElement>(&self, shape: &[usize]) -> Result<Vec<u8>> {
        if shape.is_empty() && !self.scalars {
            return Err(inexpressible("an array without axes (ask for `Writer::scalars`)"));
        }
        header::<T>(shape)
    }
}
