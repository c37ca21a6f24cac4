//! The directory of an archive: what is in it and where, told without unpacking anything.

use super::rules;
use crate::finding::bytes;
use crate::limits::Debit;
use crate::{Finding, Result};
use rawzip::{CompressionMethod, EntryFlags, ZipArchiveEntryWayfinder, ZipLocator, ZipSliceArchive};
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// The most entries that are looked through.
const MOST_ENTRIES: u64 = 1 << 16;

/// Bytes that are debited for each entry while the archive is looked through.
const ENTRY_COST: u64 = 512;

/// How far from its end the last record of an archive may begin: it has 22 bytes and a comment.
const LAST_RECORD: u64 = 22 + u16::MAX as u64;

/// Bytes of the directory's record of an entry, before its name.
const RECORD: u64 = 46;

/// Bytes of an entry's own header, before its name.
const HEADER: u64 = 30;

/// What the directory says of an entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    /// The name, byte for byte.
    pub name: &'a [u8],
    /// What does not depend on the archive's bytes.
    pub claims: Claims,
    way: ZipArchiveEntryWayfinder,
    /// Whether a later entry has the same name: that one counts.
    pub is_hidden: bool,
}

/// What the directory claims about an entry, and what was found about it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claims {
    /// Where the directory's record of the entry begins.
    record: u64,
    name_length: u16,
    /// Where the entry begins.
    pub start: u64,
    pub flags: EntryFlags,
    pub method: CompressionMethod,
    pub crc: u32,
    /// Bytes before unpacking.
    pub packed: u64,
    /// Bytes after unpacking.
    pub length: u64,
    /// Where the next thing in the archive begins.
    next: u64,
    /// Whether an earlier entry has the same name.
    pub is_repeated: bool,
}

impl Claims {
    /// The bytes of a field of the record.
    pub fn field(&self, bytes: Range<u64>) -> Range<u64> {
        self.record + bytes.start..self.record + bytes.end
    }

    /// The bytes of the name in the record.
    pub fn name(&self) -> Range<u64> {
        self.field(RECORD..RECORD + u64::from(self.name_length))
    }

    /// Why the entry cannot be unpacked by anybody without a key, or without another decompressor.
    pub fn closed(&self) -> Option<Finding> {
        let Claims { flags, method, .. } = *self;
        if flags.is_encrypted() || flags.has_strong_encryption() || method == CompressionMethod::AES {
            let finding = Finding::new(&rules::ENCRYPTED, "flags", self.field(8..10), "the entry is encrypted");
            return Some(finding.found(format!("{:#06x}", flags.bits())));
        }
        if !matches!(method, CompressionMethod::STORE | CompressionMethod::DEFLATE) {
            let message = "the entry is compressed with a method that ndbytes does not read";
            let mut finding = Finding::new(&rules::METHOD, "method", self.field(10..12), message);
            if method == CompressionMethod::DEFLATE64 {
                finding = finding.with_reference(crate::Reference::Accepts);
            }
            return Some(finding.expected("0 (stored) or 8 (deflate)").found(method));
        }
        None
    }
}

/// The entries of an archive.
pub(super) struct Directory<'a> {
    archive: ZipSliceArchive<&'a [u8]>,
    /// In the directory's order.
    pub entries: Vec<Entry<'a>>,
}

impl<'a> Directory<'a> {
    /// Reads the directory of an archive that is in memory, or mapped.
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if it cannot be read, [`Error::Limit`](crate::Error::Limit).
    pub fn read(bytes: &'a [u8], debit: &Debit<'_>) -> Result<Self> {
        let end = bytes.len() as u64;
        let locator = ZipLocator::new().max_search_space(LAST_RECORD);
        let archive = locator.locate_in_slice(bytes).map_err(|(_, error)| {
            let message = format!("the archive does not end with a directory that can be read: {error}");
            Finding::new(&rules::BAD_DIRECTORY, "", end..end, message).help("the archive may have been cut off")
        })?;
        let claimed = archive.entries_hint();
        let too_many = |number: u64| {
            let message = "the archive has more entries than are looked through";
            let last = archive.eocd_offset();
            let finding = Finding::new(&rules::TOO_MANY_ENTRIES, "", last..last + 22, message);
            finding.expected(format!("at most {MOST_ENTRIES}")).found(number)
        };
        if claimed > MOST_ENTRIES {
            return Err(too_many(claimed).into());
        }
        let mut entries: Vec<Entry<'a>> = Vec::new();
        let mut position = archive.directory_offset();
        for record in archive.entries() {
            let record = record.map_err(|error| {
                let message = format!("the directory's record of entry {} cannot be read: {error}", entries.len());
                Finding::new(&rules::BAD_DIRECTORY, "", position..position, message)
            })?;
            if entries.len() as u64 == MOST_ENTRIES {
                return Err(too_many(claimed.max(MOST_ENTRIES + 1)).into());
            }
            debit.take(ENTRY_COST, "the directory of an archive")?;
            let start = record.central_directory_offset();
            let name_length = record.file_path().len();
            position = start + RECORD + name_length as u64;
            let name = &bytes[(start + RECORD) as usize..position as usize];
            entries.push(Entry {
                name,
                claims: Claims {
                    record: start,
                    name_length: name_length as u16,
                    start: record.local_header_offset(),
                    flags: record.flags(),
                    method: record.compression_method(),
                    crc: record.crc32(),
                    packed: record.compressed_size_hint(),
                    length: record.uncompressed_size_hint(),
                    next: archive.directory_offset(),
                    is_repeated: false,
                },
                way: record.wayfinder(),
                is_hidden: false,
            });
        }
        if entries.len() as u64 != claimed {
            let last = archive.eocd_offset();
            let message = "the directory has another number of entries than it says";
            let finding = Finding::new(&rules::BAD_DIRECTORY, "", last..last + 22, message);
            return Err(finding.expected(claimed).found(entries.len()).into());
        }
        mark_repeated(&mut entries);
        set_apart(&mut entries)?;
        Ok(Directory { archive, entries })
    }

    /// The last entry of a name.
    pub fn find(&self, name: &str) -> Option<&Entry<'a>> {
        self.entries.iter().rfind(|entry| Name(text(entry.name).as_bytes()) == Name(name.as_bytes()))
    }

    /// Where the packed bytes of an entry stand.
    ///
    /// # Errors
    /// What makes that impossible to tell.
    pub fn packed(&self, entry: &Entry<'_>) -> Result<Range<u64>, Box<Finding>> {
        let start = entry.claims.start;
        let found = self.archive.get_entry(entry.way).map_err(|error| {
            let end = start.saturating_add(HEADER);
            let message = format!("the entry does not stand where the directory says: {error}");
            Finding::new(&rules::BAD_ENTRY, "", start..end, message)
        })?;
        let (start, end) = found.compressed_data_range();
        Ok(start..end)
    }

    /// What is wrong about where an entry stands.
    ///
    /// # Errors
    /// The same: it cannot be trusted.
    pub fn judge(&self, entry: &Entry<'_>, packed: &Range<u64>) -> Result<(), Box<Finding>> {
        let Claims { start, next, method, .. } = entry.claims;
        if packed.end > next {
            return Err(overlap(next, packed.end).into());
        }
        let header = self.archive.get_entry(entry.way).map(|found| found.local_header());
        let agrees = header
            .is_ok_and(|header| header.file_path().as_bytes() == entry.name && header.compression_method() == method);
        if agrees {
            return Ok(());
        }
        let message = "the header of the entry has another name or another method than the directory";
        Err(Finding::new(&rules::BAD_ENTRY, "", start..packed.start, message).into())
    }
}

/// Of the entries with the same name, all but the last are hidden.
fn mark_repeated(entries: &mut [Entry<'_>]) {
    let mut last: HashMap<Name<'_>, usize> = HashMap::new();
    for place in 0..entries.len() {
        if let Some(earlier) = last.insert(Name(entries[place].name), place) {
            entries[earlier].is_hidden = true;
            entries[place].claims.is_repeated = true;
        }
    }
}

/// Finds where each entry has to end. An entry has at least the bytes that the directory says; what its own header takes
/// beyond that is judged when it is unpacked.
///
/// # Errors
/// Two of them share bytes, or one reaches into the directory.
fn set_apart(entries: &mut [Entry<'_>]) -> Result<(), Box<Finding>> {
    let mut order: Vec<u32> = (0..entries.len() as u32).collect();
    order.sort_unstable_by_key(|&place| entries[place as usize].claims.start);
    for (rank, &place) in order.iter().enumerate() {
        let following = order.get(rank + 1).map(|&next| entries[next as usize].claims.start);
        let claims = &mut entries[place as usize].claims;
        claims.next = following.map_or(claims.next, |following| following.min(claims.next));
        let shortest = HEADER + u64::from(claims.name_length);
        let end = claims.start.saturating_add(shortest).saturating_add(claims.packed);
        if end > claims.next {
            return Err(overlap(claims.next, end).into());
        }
    }
    Ok(())
}

/// An entry ends behind the beginning of what follows it.
fn overlap(next: u64, end: u64) -> Finding {
    let message = format!("{} belong to two entries, or to an entry and the directory", bytes(end - next));
    Finding::new(&rules::OVERLAP, "", next..end, message)
}

/// A name, for which both slashes are the same.
#[derive(Clone, Copy)]
struct Name<'a>(&'a [u8]);

impl PartialEq for Name<'_> {
    fn eq(&self, other: &Self) -> bool {
        let is_slash = |letter| matches!(letter, b'/' | b'\\');
        let same = |(&one, &other): (&u8, &u8)| one == other || (is_slash(one) && is_slash(other));
        self.0.len() == other.0.len() && self.0.iter().zip(other.0).all(same)
    }
}

impl Eq for Name<'_> {}

impl Hash for Name<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut letters = [0; 64];
        for part in self.0.chunks(letters.len()) {
            let letters = &mut letters[..part.len()];
            letters.copy_from_slice(part);
            letters.iter_mut().filter(|letter| **letter == b'/').for_each(|letter| *letter = b'\\');
            state.write(letters);
        }
    }
}

/// A name as text. The standard leaves open what the bytes mean that are not UTF-8; here they are Latin-1.
pub(super) fn text(name: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(name) {
        Ok(name) => name.into(),
        Err(_) => name.iter().map(|&byte| char::from(byte)).collect::<String>().into(),
    }
}
