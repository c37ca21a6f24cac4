//! Reads archives as Python 3.11's `zipfile` does.
//!
//! `zipfile` finds the directory by its size, not by its offset, and assumes that any difference is due to bytes before the
//! archive. It checks the name in an entry's own header and the checksum of the unpacked bytes, but little else.

use super::directory_claims::DirectoryClaims;
use super::directory_claims::Sums;
use super::unpack::Unpacker;
use crate::bytes::course::{Step, Stop, demand, known, part};
use crate::bytes::input::Input;
use crate::bytes::memory::AlignedBytes;
use crate::findings::place::field_at;
use everybyte::{Endian, Layout, Source, read};
use ndbytes_schemas::zip::{
    DirectoryEntry, EndRecord, ExtraId, Flags, LocalHeader, Method, Zip64EndRecord, Zip64Locator,
};

/// The largest directory that is examined.
const LARGEST_DIRECTORY: i64 = 1 << 20;

/// The latest version of the specification that `zipfile` supports.
const LATEST_VERSION: u16 = 63;

/// An entry of the directory.
pub(crate) struct Listed {
    /// The name, byte for byte.
    own_name: Vec<u8>,
    /// True if the name is UTF-8 and would be different if it were decoded as code page 437.
    is_utf8: bool,
    flags: Flags,
    method: Method,
    crc: u32,
    /// The compressed size in bytes, according to the directory.
    pub packed: u64,
    length: u64,
    /// The offset of the entry's own header.
    pub start: i64,
}

/// The numbers that `_EndRecData` finds.
struct Ending {
    /// The offset of the end record.
    start: i64,
    size: i64,
    offset: i64,
    /// The length of the ZIP64 records before it, in bytes.
    before: i64,
}

impl Listed {
    /// The name under which the entry is found, which ends before the first zero byte.
    pub fn name(&self) -> (&[u8], bool) {
        (self.own_name.split(|&byte| byte == 0).next().unwrap_or_default(), self.is_utf8)
    }

    /// Returns whether the bytes are stored uncompressed.
    pub fn is_stored(&self) -> bool {
        self.method == Method::STORED
    }
}

/// `ZipFile`: returns the entries in directory order.
pub(crate) fn list(file: &[u8]) -> Step<Vec<Listed>> {
    let ending = ending(file)?;
    let start = ending.start.checked_sub(ending.size).and_then(|start| start.checked_sub(ending.before));
    let start = start.filter(|&start| start >= 0).ok_or(Stop::Refused)?;
    known(ending.size <= LARGEST_DIRECTORY)?;
    let shift = start - ending.offset;
    let end = (start + ending.size).min(file.len() as i64).max(start);
    let data = part(file, start, end - start)?;
    let lengths = ["name_length", "extra_length", "comment_length"];
    let lengths = lengths.map(|field| field_at::<DirectoryEntry>(0, field));
    let fixed = DirectoryEntry::MIN_SIZE as usize;
    let (mut at, mut entries) = (0, Vec::new());
    while (at as i64) < ending.size {
        let mut record = data.get(at..).and_then(|rest| rest.get(..fixed)).ok_or(Stop::Refused)?.to_vec();
        let [name, extra, comment] = lengths.clone().map(|place| {
            let place = &mut record[place.start as usize..place.end as usize];
            let length = place.first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes));
            place.fill(0);
            usize::from(length)
        });
        let entry = read::<DirectoryEntry>(Source::new(&record), Endian::Little, ()).map_err(|_| Stop::Refused)?;
        // `zipfile` uses a truncated part as is.
        let cut =
            |start: usize, length: usize| &data[start.min(data.len())..start.saturating_add(length).min(data.len())];
        let name_start = at + fixed;
        entries.push(listed(&entry, cut(name_start, name), cut(name_start + name, extra), shift)?);
        at = name_start + name + extra + comment;
    }
    Ok(entries)
}

/// `_EndRecData`.
fn ending(file: &[u8]) -> Step<Ending> {
    let fixed = EndRecord::MIN_SIZE as usize;
    let last = file.len().checked_sub(fixed).ok_or(Stop::Refused)?;
    let is_without_comment = file[last..].starts_with(&EndRecord::MAGIC) && file.ends_with(&[0, 0]);
    let start = if is_without_comment {
        last
    } else {
        let from = last.saturating_sub(1 << 16);
        let magic = file[from..].windows(EndRecord::MAGIC.len()).rposition(|bytes| bytes == EndRecord::MAGIC);
        from + magic.ok_or(Stop::Refused)?
    };
    let mut record = file.get(start..start + fixed).ok_or(Stop::Refused)?.to_vec();
    record[fixed - size_of::<u16>()..].fill(0);
    let record = read::<EndRecord>(Source::new(&record), Endian::Little, ()).map_err(|_| Stop::Refused)?;
    let (size, offset) = (record.directory_size.into(), record.directory_offset.into());
    let ending = Ending { start: start as i64, size, offset, before: 0 };
    large(file, ending)
}

/// `_EndRecData64`.
fn large(file: &[u8], ending: Ending) -> Step<Ending> {
    let (locator, fixed) = (Zip64Locator::MIN_SIZE as i64, Zip64EndRecord::MIN_SIZE as i64);
    let Ok(bytes) = part(file, ending.start - locator, locator) else { return Ok(ending) };
    let Ok(found) = read::<Zip64Locator>(Source::new(bytes), Endian::Little, ()) else { return Ok(ending) };
    demand(found.disk == 0 && found.disks <= 1)?;
    let before = locator + fixed;
    let mut record = part(file, ending.start - before, fixed)?.to_vec();
    // `zipfile` ignores the length that the record claims for itself.
    let place = field_at::<Zip64EndRecord>(0, "size");
    let size = fixed as u64 - place.end;
    record[place.start as usize..place.end as usize].copy_from_slice(&size.to_le_bytes());
    let Ok(record) = read::<Zip64EndRecord>(Source::new(&record), Endian::Little, ()) else { return Ok(ending) };
    let size = i64::try_from(record.directory_size).map_err(|_| Stop::Refused)?;
    let offset = i64::try_from(record.directory_offset).map_err(|_| Stop::Unknown)?;
    Ok(Ending { size, offset, before, ..ending })
}

/// An entry, with the numbers from its ZIP64 extra field: `_decodeExtra`.
fn listed(entry: &DirectoryEntry, name: &[u8], extra: &[u8], shift: i64) -> Step<Listed> {
    let is_utf8 = entry.flags.utf8() && !name.is_ascii();
    demand(!is_utf8 || str::from_utf8(name).is_ok())?;
    demand(entry.version_needed & 0xff <= LATEST_VERSION)?;
    let (mut length, mut packed) = (u64::from(entry.uncompressed_size), u64::from(entry.compressed_size));
    let (mut start, mut rest) = (u64::from(entry.header_offset), extra);
    let all_bits = u64::from(u32::MAX);
    while let Some((head, after)) = rest.split_at_checked(4) {
        let [id, size] = [[head[0], head[1]], [head[2], head[3]]].map(u16::from_le_bytes);
        let mut data = after.get(..size.into()).ok_or(Stop::Refused)?;
        if id == ExtraId::ZIP64.0 {
            let mut next = || -> Step<u64> {
                let (number, rest) = data.split_first_chunk().ok_or(Stop::Refused)?;
                data = rest;
                Ok(u64::from_le_bytes(*number))
            };
            if length == all_bits || length == u64::MAX {
                length = next()?;
            }
            if packed == all_bits {
                packed = next()?;
            }
            if start == all_bits {
                start = next()?;
            }
        }
        rest = &after[size.into()..];
    }
    let start = i64::try_from(start).ok().and_then(|start| start.checked_add(shift)).ok_or(Stop::Refused)?;
    let DirectoryEntry { flags, method, crc32, .. } = *entry;
    Ok(Listed { own_name: name.to_vec(), is_utf8, flags, method, crc: crc32, packed, length, start })
}

/// `ZipFile.open`, followed by reading all bytes of the entry.
pub(crate) fn unpacked(input: &Input<'_>, file: &[u8], listed: &Listed) -> Step<AlignedBytes> {
    let fixed = LocalHeader::MIN_SIZE;
    let mut record = part(file, listed.start, fixed as i64)?.to_vec();
    let [name, extra] = ["name_length", "extra_length"].map(|field| {
        let place = field_at::<LocalHeader>(0, field);
        let place = &mut record[place.start as usize..place.end as usize];
        let length = place.first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes));
        place.fill(0);
        u64::from(length)
    });
    let header = read::<LocalHeader>(Source::new(&record), Endian::Little, ()).map_err(|_| Stop::Refused)?;
    demand(!listed.flags.patch() && !listed.flags.strong_encryption())?;
    let name_start = listed.start as u64 + fixed;
    let at = |offset: u64| offset.min(file.len() as u64) as usize;
    let own_name = &file[at(name_start)..at(name_start + name)];
    let is_utf8 = header.flags.utf8() && !own_name.is_ascii();
    demand(!is_utf8 || str::from_utf8(own_name).is_ok())?;
    demand(own_name == listed.own_name && is_utf8 == listed.is_utf8)?;
    demand(!listed.flags.encrypted())?;
    known(!matches!(listed.method, Method::BZIP2 | Method::LZMA))?;
    demand(matches!(listed.method, Method::STORED | Method::DEFLATED))?;
    let start = (name_start + name + extra).min(input.length());
    let Listed { crc, packed, length, .. } = *listed;
    let mut claims = DirectoryClaims::found(&header, start, input.length(), Sums { crc, packed, length });
    claims.method = listed.method;
    let budget = input.budget();
    let content = Unpacker::new().unpack_as_zipfile(&claims, input, start, budget)?.ok_or(Stop::Refused)?;
    // The content does not stay charged, because the caller reads it only once.
    budget.give_back(content.as_slice().len() as u64);
    Ok(content)
}
