//! Zip archives of files as they are, for corpora.

use everybyte::{BinWrite, Bytes, Endian, write};
use ndbytes_codecs::deflate::Crc;
use ndbytes_schemas::zip::{DirectoryEntry, DosDate, DosTime, EndRecord, Flags, LocalHeader, Method, System, Text};

/// The version of the specification that is needed to read an archive without compression: 1.0.
const VERSION: u16 = 10;

/// The first of January 1980, the first day that an archive can say: the same files give the same archive.
const DATE: u16 = 1 << 5 | 1;

/// An archive of files, which are stored as they are; `None` if they are too many or too long for one.
pub fn archive(files: &[(String, Vec<u8>)]) -> Option<Vec<u8>> {
    let mut archive = Vec::new();
    let mut directory = Vec::new();
    for (name, bytes) in files {
        let mut crc = Crc::new();
        crc.update(bytes);
        let (crc32, size) = (crc.sum(), u32::try_from(bytes.len()).ok()?);
        let header_offset = u32::try_from(archive.len()).ok()?;
        let name = Text::new(name.as_bytes());
        put(
            &mut archive,
            &LocalHeader {
                version_needed: VERSION,
                flags: Flags::from_raw(0),
                method: Method::STORED,
                time: DosTime(0),
                date: DosDate(DATE),
                crc32,
                compressed_size: size,
                uncompressed_size: size,
                name: name.clone(),
                extra: Bytes::default(),
            },
        )?;
        archive.extend(bytes);
        put(
            &mut directory,
            &DirectoryEntry {
                made_by_version: VERSION as u8,
                made_by_system: System::DOS,
                version_needed: VERSION,
                flags: Flags::from_raw(0),
                method: Method::STORED,
                time: DosTime(0),
                date: DosDate(DATE),
                crc32,
                compressed_size: size,
                uncompressed_size: size,
                disk: 0,
                internal_attributes: 0,
                external_attributes: 0,
                header_offset,
                name,
                extra: Bytes::default(),
                comment: Text::new([]),
            },
        )?;
    }
    let entries = u16::try_from(files.len()).ok()?;
    let end = EndRecord {
        disk: 0,
        directory_disk: 0,
        disk_entries: entries,
        entries,
        directory_size: u32::try_from(directory.len()).ok()?,
        directory_offset: u32::try_from(archive.len()).ok()?,
        comment: Text::new([]),
    };
    archive.extend(directory);
    put(&mut archive, &end)?;
    Some(archive)
}

fn put<T: for<'a> BinWrite<Args<'a> = ()>>(bytes: &mut Vec<u8>, value: &T) -> Option<()> {
    bytes.extend(write(value, Endian::Little).ok()?);
    Some(())
}
