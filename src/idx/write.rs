//! Writing IDX files.

use crate::atomic::AtomicFile;
use crate::swap::swap_in_place;
use crate::{Element, Error, Result, gzip};
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use ndarray::{ArrayRef, Dimension};
use ndbytes_schemas::gzip::Trailer;
use ndbytes_schemas::idx::{self as layout, ElementType};
use ndbytes_schemas::{Endian, Region, Zeros};
use std::io::Write;
use std::path::Path;

/// Elements that are swapped and written in one go.
const PIECE: usize = 64 << 10;

/// A Rust type that IDX has an element type for: `u8`, `i8`, `i16`, `i32`, `f32`, `f64`.
pub trait IdxElement: Element {
    /// The element type.
    const ELEMENT_TYPE: ElementType;
}

macro_rules! idx_elements {
    ($($element:ty => $element_type:ident),*) => {$(
        impl IdxElement for $element {
            const ELEMENT_TYPE: ElementType = ElementType::$element_type;
        }
    )*};
}

idx_elements!(u8 => U8, i8 => I8, i16 => I16, i32 => I32, f32 => F32, f64 => F64);

/// Writes an array to a file: atomically, row-major, big-endian.
///
/// # Errors
/// [`Error::Inexpressible`] if the array has no axes, more than 255, or an extent over 2³² − 1; [`Error::Io`].
pub fn write<T: IdxElement, D: Dimension>(path: impl AsRef<Path>, array: &ArrayRef<T, D>) -> Result<()> {
    Writer::new().write(path, array)
}

/// How to write IDX files.
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
    #[must_use]
    pub fn gzip(self, gzip: bool) -> Self {
        Writer { gzip, ..self }
    }

    /// Writes arrays without axes too: the grammar allows them, and many readers fail on them.
    #[must_use]
    pub fn scalars(self, scalars: bool) -> Self {
        Writer { scalars, ..self }
    }

    /// Writes an array to a file, atomically.
    ///
    /// # Errors
    /// As for [`write()`].
    pub fn write<T: IdxElement, D: Dimension>(&self, path: impl AsRef<Path>, array: &ArrayRef<T, D>) -> Result<()> {
        self.header::<T>(array.shape())?;
        let mut file = AtomicFile::create(path.as_ref())?;
        self.write_to(&mut file, array).map_err(|error| error.at(path.as_ref()))?;
        file.commit()
    }

    /// Writes an array to a stream.
    ///
    /// # Errors
    /// As for [`write()`].
    pub fn write_to<T: IdxElement, D: Dimension>(&self, mut to: impl Write, array: &ArrayRef<T, D>) -> Result<()> {
        let header = self.header::<T>(array.shape())?;
        if !self.gzip {
            to.write_all(&header)?;
            write_elements(&mut to, array)?;
            return Ok(to.flush()?);
        }
        to.write_all(&gzip::plain_header())?;
        let mut stream = Summed { to: DeflateEncoder::new(to, Compression::default()), crc: Crc::new() };
        stream.write_all(&header)?;
        write_elements(&mut stream, array)?;
        let Summed { to: deflate, crc } = stream;
        let mut to = deflate.finish()?;
        let trailer = Trailer { crc32: crc.sum(), inflated_length: crc.amount() };
        to.write_all(&encode(&trailer, Endian::Little))?;
        Ok(to.flush()?)
    }

    fn header<T: IdxElement>(&self, shape: &[usize]) -> Result<Vec<u8>> {
        if shape.is_empty() && !self.scalars {
            return Err(inexpressible("an array without axes (ask for `Writer::scalars`)"));
        }
        header::<T>(shape)
    }
}

/// The header of an array; the payload follows it.
pub(super) fn header<T: IdxElement>(shape: &[usize]) -> Result<Vec<u8>> {
    if shape.len() > usize::from(u8::MAX) {
        return Err(inexpressible(format!("{} axes: 255 are the most", shape.len())));
    }
    let extent = |&extent: &usize| u32::try_from(extent).map_err(|_| inexpressible(format!("an extent of {extent}")));
    let dims = shape.iter().map(extent).collect::<Result<_>>()?;
    let header =
        layout::Idx { zero: Zeros::default(), element_type: T::ELEMENT_TYPE, dims, payload: Region::default() };
    Ok(encode(&header, Endian::Big))
}

fn encode<T>(value: &T, endian: Endian) -> Vec<u8>
where
    T: for<'a> ndbytes_schemas::BinWrite<Args<'a> = ()>,
{
    ndbytes_schemas::write(value, endian).expect("its counts were checked")
}

fn inexpressible(what: impl Into<String>) -> Error {
    Error::Inexpressible { format: "IDX", what: what.into() }
}

/// Writes the elements of an array, in logical order, big-endian.
fn write_elements<T: IdxElement, D: Dimension>(to: &mut impl Write, array: &ArrayRef<T, D>) -> Result<()> {
    if let Some(elements) = array.as_slice() {
        return write_slice(to, elements);
    }
    let mut elements = array.iter().copied();
    loop {
        let piece: Vec<T> = elements.by_ref().take(PIECE).collect();
        if piece.is_empty() {
            return Ok(());
        }
        write_slice(to, &piece)?;
    }
}

/// Writes elements big-endian.
pub(super) fn write_slice<T: IdxElement>(to: &mut impl Write, elements: &[T]) -> Result<()> {
    let width = if cfg!(target_endian = "big") { 1 } else { T::KIND.swapped() };
    let mut buffer = Vec::new();
    for piece in elements.chunks(PIECE) {
        let bytes: &[u8] = bytemuck::cast_slice(piece);
        if width == 1 {
            to.write_all(bytes)?;
        } else {
            buffer.clear();
            buffer.extend_from_slice(bytes);
            swap_in_place(&mut buffer, width);
            to.write_all(&buffer)?;
        }
    }
    Ok(())
}

/// A stream that sums up what goes through it.
struct Summed<W> {
    to: W,
    crc: Crc,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.crc.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.to.flush()
    }
}
