//! Writes the directory of an archive.

use everybyte::{BinWrite, Endian, bytes::Bytes, write};
use ndbytes_schemas::zip::{
    DirectoryEntry, DosDate, DosTime, EndRecord, ExtraField, ExtraId, Flags, Method, System, Text, Zip64,
    Zip64EndRecord, Zip64Locator,
};

/// The version of the specification that entries require.
pub const VERSION: u8 = 20;
/// The version of the specification that introduced ZIP64.
pub const VERSION_64: u8 = 45;

/// The number of bytes in a ZIP64 end record after its length.
const END_64: u64 = 44;

/// An entry for a directory.
#[derive(Debug, Clone, Copy)]
pub struct NewEntry<'e> {
    /// The name, byte for byte.
    pub name: &'e [u8],
    /// The flags, which state how the entry is stored.
    pub flags: Flags,
    /// The compression method.
    pub method: Method,
    /// The modification time.
    pub time: DosTime,
    /// The modification date.
    pub date: DosDate,
    /// The CRC-32 of the uncompressed bytes.
    pub crc32: u32,
    /// The compressed size in bytes.
    pub packed: u64,
    /// The uncompressed size in bytes.
    pub length: u64,
    /// The offset of the entry's header.
    pub offset: u64,
}

/// Writes the directory of an archive.
#[derive(Debug, Default)]
pub struct DirectoryWriter {
    records: Vec<u8>,
    entries: u64,
}

impl DirectoryWriter {
    /// Adds an entry, whose name may have at most 65,535 bytes.
    pub fn push(&mut self, entry: &NewEntry<'_>) {
        let large = |number: u64| (number >= u32::MAX.into()).then_some(number);
        let zip64 = Zip64 {
            uncompressed_size: large(entry.length),
            compressed_size: large(entry.packed),
            header_offset: large(entry.offset),
            disk: None,
        };
        let has_large = [entry.length, entry.packed, entry.offset].into_iter().any(|number| large(number).is_some());
        let extra = if has_large { zip64_field(&zip64) } else { Vec::new() };
        let version = if has_large { VERSION_64 } else { VERSION };
        self.records.extend(bytes(&DirectoryEntry {
            made_by_version: version,
            made_by_system: System::UNIX,
            version_needed: version.into(),
            flags: entry.flags,
            method: entry.method,
            time: entry.time,
            date: entry.date,
            crc32: entry.crc32,
            compressed_size: small(entry.packed),
            uncompressed_size: small(entry.length),
            disk: 0,
            internal_attributes: 0,
            // The owner may read and write the file, and others may only read it.
            external_attributes: 0o100_644 << 16,
            header_offset: small(entry.offset),
            name: Text::new(entry.name),
            extra: Bytes::new(extra.len() as u64),
            comment: Text::default(),
        }));
        self.records.extend(extra);
        self.entries += 1;
    }

    /// Returns the directory, which must be written at this offset, followed by the end records.
    pub fn finish(self, offset: u64) -> Vec<u8> {
        let DirectoryWriter { records: mut all, entries } = self;
        let size = all.len() as u64;
        if entries >= u16::MAX.into() || size.max(offset) >= u32::MAX.into() {
            all.extend(bytes(&Zip64EndRecord {
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
            }));
            all.extend(bytes(&Zip64Locator { disk: 0, end_offset: offset + size, disks: 1 }));
        }
        let count = u16::try_from(entries).unwrap_or(u16::MAX);
        all.extend(bytes(&EndRecord {
            disk: 0,
            directory_disk: 0,
            disk_entries: count,
            entries: count,
            directory_size: small(size),
            directory_offset: small(offset),
            comment: Text::default(),
        }));
        all
    }
}

/// Converts a number to 32 bits, with all bits set if it is larger.
fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The extra field with 64-bit numbers.
pub fn zip64_field(numbers: &Zip64) -> Vec<u8> {
    let numbers = bytes(numbers);
    let field = ExtraField { id: ExtraId::ZIP64, data: Bytes::new(numbers.len() as u64) };
    [bytes(&field), numbers].concat()
}

/// Returns the bytes of a record whose name has at most 65,535 bytes.
fn bytes<T: for<'a> BinWrite<Args<'a> = ()>>(record: &T) -> Vec<u8> {
    write(record, Endian::Little).expect("lengths of names fit their fields")
}
