//! Zip archives, written from beginning to end: checksums and sizes follow the data of each entry.
//!
//! The target may be a pipe, so the writer cannot seek back to a header. The local header therefore states no sizes,
//! and a data descriptor follows the data. Only one thing must be known beforehand: whether the sizes need 64 bits.
//! That is decided from the expected length, plus the maximum that deflate could add.
//!
//! Nothing depends on the time or the machine: the same arrays always produce the same bytes.

use crate::error::{Error, Result};
use crate::kind::FileKind;
use ndbytes::everybyte::{Endian, bytes::Bytes, write};
use ndbytes::internals::{DirectoryWriter, NewEntry, VERSION, VERSION_64, zip64_field};
use ndbytes::schemas::zip::{
    DESCRIPTOR_MAGIC, DataDescriptor, DescriptorSizes, DosDate, DosTime, Flags, LocalHeader, Method, Text, Zip64,
};
use ndbytes_codecs::deflate::{Crc, encoder};
use std::io::{self, Write};

/// The earliest date that an archive can state. A fixed date keeps the bytes reproducible.
const DATE: DosDate = DosDate(0x21);

/// The maximum number of bytes that deflate adds for each incompressible 16 KiB.
const GROWTH: u64 = 5;

/// Writes an archive.
pub struct Archive<'w> {
    to: &'w mut dyn Write,
    length: u64,
    directory: DirectoryWriter,
}

impl<'w> Archive<'w> {
    /// An archive without entries.
    pub fn new(to: &'w mut dyn Write) -> Self {
        Archive { to, length: 0, directory: DirectoryWriter::default() }
    }

    /// Adds an entry, written by `content`. `expected` is its length without a header.
    pub fn entry(
        &mut self,
        name: &str,
        expected: u64,
        compress: bool,
        content: impl FnOnce(&mut dyn Write) -> Result<()>,
    ) -> Result<()> {
        if u16::try_from(name.len()).is_err() {
            return Err(Error::Refused { kind: FileKind::Npz, what: format!("a name of {} bytes", name.len()) });
        }
        // This is decided before the sizes are known. The header is shorter than 4 GiB.
        let header = 1 << 20;
        let most = expected.saturating_add(expected / (16 << 10) * GROWTH).saturating_add(header);
        let is_large = most > u32::MAX.into();
        let offset = self.length;
        let method = if compress { Method::DEFLATED } else { Method::STORED };
        self.begin(name, method, is_large)?;

        let mut data = Counting { to: &mut *self.to, crc: Crc::new(), length: 0 };
        let (crc, size) = if compress {
            let mut inner = Counting { to: encoder(&mut data), crc: Crc::new(), length: 0 };
            content(&mut inner)?;
            let (crc, size) = (inner.crc.sum(), inner.length);
            inner.to.finish()?;
            (crc, size)
        } else {
            content(&mut data)?;
            (data.crc.sum(), data.length)
        };
        let packed = data.length;
        self.length += packed;
        let sizes = match is_large {
            true => DescriptorSizes::Large { compressed_size: packed, uncompressed_size: size },
            false => DescriptorSizes::Small { compressed_size: packed as u32, uncompressed_size: size as u32 },
        };
        self.put(&DataDescriptor { signature: Some(DESCRIPTOR_MAGIC), crc32: crc, sizes })?;
        self.directory.push(&NewEntry {
            name: name.as_bytes(),
            flags: flags(),
            method,
            time: DosTime(0),
            date: DATE,
            crc32: crc,
            packed,
            length: size,
            offset,
        });
        Ok(())
    }

    /// Writes the local header of an entry. Checksums and sizes are not known yet, so they follow in a data descriptor.
    fn begin(&mut self, name: &str, method: Method, is_large: bool) -> Result<()> {
        // Zeros in the extra field mean that the sizes are in the descriptor.
        let zip64 = Zip64 { uncompressed_size: Some(0), compressed_size: Some(0), header_offset: None, disk: None };
        let extra = if is_large { zip64_field(&zip64) } else { Vec::new() };
        let size = if is_large { u32::MAX } else { 0 };
        let header = LocalHeader {
            version_needed: if is_large { VERSION_64 } else { VERSION }.into(),
            flags: flags(),
            method,
            time: DosTime(0),
            date: DATE,
            crc32: 0,
            compressed_size: size,
            uncompressed_size: size,
            name: Text::new(name),
            extra: Bytes::new(extra.len() as u64),
        };
        self.put(&header)?;
        self.to.write_all(&extra)?;
        self.length += extra.len() as u64;
        Ok(())
    }

    /// Writes the directory.
    pub fn finish(self) -> io::Result<()> {
        self.to.write_all(&self.directory.finish(self.length))
    }

    /// Writes a record of the archive and counts its bytes.
    fn put<T>(&mut self, record: &T) -> io::Result<()>
    where
        T: for<'a> ndbytes::everybyte::BinWrite<Args<'a> = ()>,
    {
        let bytes = bytes(record);
        self.length += bytes.len() as u64;
        self.to.write_all(&bytes)
    }
}

/// Returns the flags that every entry has.
fn flags() -> Flags {
    Flags::new().with_data_descriptor(true).with_utf8(true)
}

/// Returns the bytes of a record.
fn bytes<T>(record: &T) -> Vec<u8>
where
    T: for<'a> ndbytes::everybyte::BinWrite<Args<'a> = ()>,
{
    write(record, Endian::Little).expect("the lengths were checked")
}

/// A stream that counts the bytes that pass through it, and computes their checksum.
struct Counting<W> {
    to: W,
    crc: Crc,
    length: u64,
}

impl<W: Write> Write for Counting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.crc.update(&bytes[..written]);
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
