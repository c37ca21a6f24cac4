//! Writing an array inside gzip.

use crate::envelope::gzip::plain_header;
use crate::error::Result;
use crate::idx::elements::encode;
use everybyte::Endian;
use ndbytes_codecs::deflate::{self, Crc};
use ndbytes_schemas::gzip::Trailer;
use std::io::Write;

/// Writes a header, and what `write` adds to it, to a stream, inside gzip.
pub(crate) fn write_gzip(
    mut to: impl Write,
    header: &[u8],
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    to.write_all(&plain_header())?;
    let mut stream = Summed { to: deflate::encoder(to), crc: Crc::new() };
    stream.write_all(header)?;
    write(&mut stream)?;
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
