//! Writes gzip-compressed files.

use crate::error::Result;
use everybyte::{Endian, write as written};
use ndbytes_codecs::deflate::{self, Crc};
use ndbytes_schemas::gzip::{Header, Trailer};
use std::io::Write;

/// Writes the first bytes, followed by everything that `write` writes, to a stream as gzip-compressed data.
///
/// # Errors
/// Any error from `write` or from the stream.
pub fn write_gzip(mut to: impl Write, first: &[u8], write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    to.write_all(&written(&Header::plain(), Endian::Little).expect("a header without optional fields can be written"))?;
    let mut stream = Summed { to: deflate::encoder(to), crc: Crc::new() };
    stream.write_all(first)?;
    write(&mut stream)?;
    let Summed { to: encoder, crc } = stream;
    let mut to = encoder.finish()?;
    let trailer = Trailer { crc32: crc.sum(), inflated_length: crc.amount() };
    to.write_all(&written(&trailer, Endian::Little).expect("a trailer can be written"))?;
    Ok(to.flush()?)
}

/// A stream that computes the checksum of everything that passes through it.
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
