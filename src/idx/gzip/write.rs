//! Writing an array inside gzip.

use crate::envelope::gzip::plain_header;
use crate::error::Result;
use crate::idx::elements::{IdxElement, encode, write_elements};
use everybyte::Endian;
use ndarray::{ArrayRef, Dimension};
use ndbytes_codecs::deflate::{self, Crc};
use ndbytes_schemas::gzip::Trailer;
use std::io::Write;

/// Writes an array to a stream, with its header before it, inside gzip.
pub(crate) fn write_gzip<T: IdxElement, D: Dimension>(
    mut to: impl Write,
    header: &[u8],
    array: &ArrayRef<T, D>,
) -> Result<()> {
    to.write_all(&plain_header())?;
    let mut stream = Summed { to: deflate::encoder(to), crc: Crc::new() };
    stream.write_all(header)?;
    write_elements(&mut stream, array)?;
    let Summed { to: encoder, crc } = stream;
    let mut to = encoder.finish()?;
    let trailer = Trailer { crc32: crc.sum(), inflated_length: crc.amount() };
    to.write_all(&encode(&trailer, Endian::Little))?;
    Ok(to.flush()?)
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
