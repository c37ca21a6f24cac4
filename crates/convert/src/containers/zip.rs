//! Zip archives, written from beginning to end: sums and sizes follow the data of each entry.

use crate::error::{Error, Result};
use crate::kind::Kind;
use ndbytes::everybyte::{Bytes, Endian, write};
use ndbytes::schemas::zip::{
    DESCRIPTOR_MAGIC, DataDescriptor, DescriptorSizes, DirectoryEntry, DosDate, DosTime, EndRecord, ExtraField,
    ExtraId, Flags, LocalHeader, Method, System, Text, Zip64, Zip64EndRecord, Zip64Locator,
};
use ndbytes_codecs::deflate::{Crc, encoder};
use std::io::{self, Write};

/// The versions of the specification that entries need, and those that have ZIP64.
const VERSION: u8 = 20;
const VERSION_64: u8 = 45;

/// The first day that an archive can state: the same arrays make the same bytes.
const DATE: DosDate = DosDate(0x21);

/// Bytes that deflate adds at most to what it cannot make smaller, for each 16 KiB.
const GROWTH: u64 = 5;

/// Bytes of a ZIP64 end record after its length.
const END_64: u64 = 44;

/// An archive in the making.
pub struct Archive<'w> {
    to: &'w mut dyn Write,
    length: u64,
    directory: Vec<u8>,
    entries: u64,
}

impl<'w> Archive<'w> {
    pub fn new(to: &'w mut dyn Write) -> Self {
        Archive { to, length: 0, directory: Vec::new(), entries: 0 }
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
            return Err(Error::Refused { kind: Kind::Npz, what: format!("a name of {} bytes", name.len()) });
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
        self.record(name, method, [crc.into(), packed, size, offset]);
        Ok(())
    }

    fn begin(&mut self, name: &str, method: Method, is_large: bool) -> Result<()> {
        // Zeros in the extra field say that the descriptor has the sizes.
        let zip64 = Zip64 { uncompressed_size: Some(0), compressed_size: Some(0), header_offset: None, disk: None };
        let extra = if is_large { extra(&zip64) } else { Vec::new() };
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

    /// Adds the record of an entry to the directory.
    fn record(&mut self, name: &str, method: Method, [crc, packed, size, offset]: [u64; 4]) {
        let large = |number: u64| (number >= u32::MAX.into()).then_some(number);
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let zip64 = Zip64 {
            uncompressed_size: large(size),
            compressed_size: large(packed),
            header_offset: large(offset),
            disk: None,
        };
        let has_large = [size, packed, offset].into_iter().any(|number| large(number).is_some());
        let extra = if has_large { extra(&zip64) } else { Vec::new() };
        let version = if has_large { VERSION_64 } else { VERSION };
        let record = DirectoryEntry {
            made_by_version: version,
            made_by_system: System::UNIX,
            version_needed: version.into(),
            flags: flags(),
            method,
            time: DosTime(0),
            date: DATE,
            crc32: small(crc),
            compressed_size: small(packed),
            uncompressed_size: small(size),
            disk: 0,
            internal_attributes: 0,
            // A file that its owner may read and write, and others may read.
            external_attributes: 0o100_644 << 16,
            header_offset: small(offset),
            name: Text::new(name),
            extra: Bytes::new(extra.len() as u64),
            comment: Text::default(),
        };
        self.directory.extend(bytes(&record));
        self.directory.extend(extra);
        self.entries += 1;
    }

    /// Writes the directory.
    pub fn finish(mut self) -> io::Result<()> {
        let (offset, size, entries) = (self.length, self.directory.len() as u64, self.entries);
        self.to.write_all(&self.directory)?;
        self.length += size;
        let is_large = entries >= u16::MAX.into() || size.max(offset) >= u32::MAX.into();
        if is_large {
            let end_offset = self.length;
            self.put(&Zip64EndRecord {
                size: END_64,
                made_by_version: VERSION_64,
                made_by_system: System::UNIX,
                version_needed: VERSION_64.into(),
                disk: 0,
                directory_disk: 0,
                disk_entries: entries,
                entries,
                directory_size: size,
                directory_offset: offset,
                extensible: Bytes::new(0),
            })?;
            self.put(&Zip64Locator { disk: 0, end_offset, disks: 1 })?;
        }
        let count = u16::try_from(entries).unwrap_or(u16::MAX);
        self.put(&EndRecord {
            disk: 0,
            directory_disk: 0,
            disk_entries: count,
            entries: count,
            directory_size: u32::try_from(size).unwrap_or(u32::MAX),
            directory_offset: u32::try_from(offset).unwrap_or(u32::MAX),
            comment: Text::default(),
        })
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

/// The extra field with 64-bit numbers.
fn extra(numbers: &Zip64) -> Vec<u8> {
    let numbers = bytes(numbers);
    let field = ExtraField { id: ExtraId::ZIP64, data: Bytes::new(numbers.len() as u64) };
    [bytes(&field), numbers].concat()
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
