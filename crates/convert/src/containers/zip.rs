//! Zip archives, written from beginning to end: sums and sizes follow the data of each entry.

use crate::error::{Error, Result};
use crate::kind::FileKind;
use ndbytes::everybyte::{Bytes, Endian, write};
use ndbytes::internals::{DirectoryWriter, NewEntry, VERSION, VERSION_64, zip64_field};
use ndbytes::schemas::zip::{
    DESCRIPTOR_MAGIC, DataDescriptor, DescriptorSizes, DosDate, DosTime, Flags, LocalHeader, Method, Text, Zip64,
};
use ndbytes_codecs::deflate::{Crc, encoder};
use std::io::{self, Write};

/// The first day that an archive can state: the same arrays make the same bytes.
const DATE: DosDate = DosDate(0x21);

/// Bytes that deflate adds at most to what it cannot make smaller, for each 16 KiB.
const GROWTH: u64 = 5;

/// An archive in the making.
pub struct Archive<'w> {
    to: &'w mut dyn Write,
    length: u64,
    directory: DirectoryWriter,
}

impl<'w> Archive<'w> {
    pub fn new(to: &'w mut dyn Write) -> Self {
        Archive { to, length: 0, directory: DirectoryWriter::default() }
    }

    /// Adds an entry, which `content` writes. `expected` are the bytes that it has, but for a header.
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
        // It is decided before the sizes are known; the header has less than 4 GiB.
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

    fn begin(&mut self, name: &str, method: Method, is_large: bool) -> Result<()> {
        // Zeros in the extra field say that the descriptor has the sizes.
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

    fn put<T>(&mut self, record: &T) -> io::Result<()>
    where
        T: for<'a> ndbytes::everybyte::BinWrite<Args<'a> = ()>,
    {
        let bytes = bytes(record);
        self.length += bytes.len() as u64;
        self.to.write_all(&bytes)
    }
}

fn flags() -> Flags {
    Flags::new().with_data_descriptor(true).with_utf8(true)
}

fn bytes<T>(record: &T) -> Vec<u8>
where
    T: for<'a> ndbytes::everybyte::BinWrite<Args<'a> = ()>,
{
    write(record, Endian::Little).expect("the lengths were checked")
}

/// A stream that counts and sums up what goes through it.
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
