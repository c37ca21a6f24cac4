//! The directory of an archive: its entries and their places, read without unpacking anything.

use super::rules;
use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use crate::bytes::memory;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::words::bytes;
use rawzip::{CompressionMethod, EntryFlags, ErrorKind, ReaderAt, ZipArchive, ZipArchiveEntryWayfinder, ZipLocator};
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::io;
use std::ops::Range;

/// The most entries that are examined.
pub(crate) const MOST_ENTRIES: u64 = 1 << 16;

/// Bytes that are debited for each entry while the archive is examined.
pub(crate) const ENTRY_COST: u64 = 512;

/// The greatest distance from the end at which the last record of an archive begins: it has 22 bytes and a comment.
const LAST_RECORD: u64 = 22 + u16::MAX as u64;

/// Bytes of the directory's record of an entry, before its name.
const RECORD: u64 = 46;

/// Bytes of an entry's own header, before its name.
const HEADER: u64 = 30;

/// The size of the buffer for the directory. A record takes less than 192 KiB.
const BUFFER: Range<u64> = 4 << 10..256 << 10;

const DIRECTORY: &str = "the directory of an archive";

/// An entry, as the directory describes it.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The name, byte for byte. It is a copy: another process may change the file meanwhile.
    pub name: Box<[u8]>,
    /// The claims, which do not borrow the archive's bytes.
    pub claims: Claims,
    way: ZipArchiveEntryWayfinder,
    /// True if a later entry has the same name: that one counts.
    pub is_hidden: bool,
}

/// The claims of the directory about an entry, and the findings about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claims {
    /// Offset of the directory's record of the entry.
    record: u64,
    name_length: u16,
    /// Offset of the entry.
    pub start: u64,
    pub flags: EntryFlags,
    pub method: CompressionMethod,
    pub crc: u32,
    /// Bytes before unpacking.
    pub packed: u64,
    /// Bytes after unpacking.
    pub length: u64,
    /// Offset of the next entry or of the directory.
    next: u64,
    /// True if an earlier entry has the same name.
    pub is_repeated: bool,
}

impl Claims {
    /// Returns whether the bytes are stored as they are.
    pub fn is_stored(&self) -> bool {
        self.method == CompressionMethod::STORE
    }

    /// The bytes of a field of the record.
    pub fn field(&self, bytes: Range<u64>) -> Range<u64> {
        self.record + bytes.start..self.record + bytes.end
    }

    /// The bytes of the name in the record.
    pub fn name(&self) -> Range<u64> {
        self.field(RECORD..RECORD + u64::from(self.name_length))
    }

    /// The reason why the entry cannot be unpacked without a key or another decompressor, if there is one.
    pub fn closed(&self) -> Option<Finding> {
        let Claims { flags, method, .. } = *self;
        if flags.is_encrypted() || flags.has_strong_encryption() || method == CompressionMethod::AES {
            let finding = Finding::new(&rules::ENCRYPTED, "flags", self.field(8..10), "the entry is encrypted");
            return Some(finding.found(format!("{:#06x}", flags.bits())));
        }
        if !matches!(method, CompressionMethod::STORE | CompressionMethod::DEFLATE) {
            let message = "the entry is compressed with a method that ndbytes does not support";
            let mut finding = Finding::new(&rules::METHOD, "method", self.field(10..12), message);
            if method == CompressionMethod::DEFLATE64 {
                finding = finding.with_reference(crate::findings::rule::Reference::Accepts);
            }
            return Some(finding.expected("0 (stored) or 8 (deflate)").found(method));
        }
        None
    }
}

/// The bytes of an archive, read where they are asked for. They are never mapped: a mapping may change between two
/// accesses of a parser.
struct Bytes<'a>(&'a Input<'a>);

impl ReaderAt for Bytes<'_> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let left = self.0.length().saturating_sub(offset);
        let length = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
        match self.0.read_at(&mut buffer[..length], offset) {
            Ok(()) => Ok(length),
            Err(Error::Io { source, .. }) => Err(source),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}

/// The entries of an archive.
pub(crate) struct Directory<'a> {
    archive: ZipArchive<Bytes<'a>>,
    /// In the directory's order.
    pub entries: Vec<Entry>,
}

impl<'a> Directory<'a> {
    /// Reads the directory of an archive.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is not valid, [`Error::Limit`], [`Error::Io`].
    pub fn read(input: &'a Input<'a>, debit: &Debit<'_>) -> Result<Self> {
        let end = input.length();
        let length = end.clamp(BUFFER.start, BUFFER.end);
        debit.take(length, DIRECTORY)?;
        let no_memory = || Error::Limit { what: DIRECTORY, needed: length, left: 0 };
        let mut buffer = memory::zeros::<u8>(length as usize).ok_or_else(no_memory)?;
        let locator = ZipLocator::new().max_search_space(LAST_RECORD);
        let archive = match locator.locate_in_reader(Bytes(input), &mut buffer, end) {
            Ok(archive) => archive,
            Err((Bytes(input), error)) => {
                let why = flaw(input, error)?;
                let message = format!("the archive does not end with a readable directory: {why}");
                let finding = Finding::new(&rules::BAD_DIRECTORY, "", end..end, message);
                return Err(finding.help("the archive may have been cut off").into());
            }
        };
        let claimed = archive.entries_hint();
        let too_many = |number: u64| {
            let message = "the archive has too many entries to be examined";
            let last = archive.eocd_offset();
            let finding = Finding::new(&rules::TOO_MANY_ENTRIES, "", last..last + 22, message);
            finding.expected(format!("at most {MOST_ENTRIES}")).found(number)
        };
        if claimed > MOST_ENTRIES {
            return Err(too_many(claimed).into());
        }
        let mut entries: Vec<Entry> = Vec::new();
        let mut position = archive.directory_offset();
        let mut records = archive.entries(&mut buffer);
        loop {
            let record = match records.next_entry() {
                Ok(Some(record)) => record,
                Ok(None) => break,
                Err(error) => {
                    let why = flaw(input, error)?;
                    let message = format!("the directory's record of entry {} cannot be read: {why}", entries.len());
                    return Err(Finding::new(&rules::BAD_DIRECTORY, "", position..position, message).into());
                }
            };
            if entries.len() as u64 == MOST_ENTRIES {
                return Err(too_many(claimed.max(MOST_ENTRIES + 1)).into());
            }
            let path = record.file_path();
            let name = path.as_bytes();
            debit.take(ENTRY_COST + name.len() as u64, DIRECTORY)?;
            let start = record.central_directory_offset();
            position = start + RECORD + name.len() as u64;
            entries.push(Entry {
                name: name.into(),
                claims: Claims {
                    record: start,
                    name_length: name.len() as u16,
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
            let message = "the directory has another number of entries than it declares";
            let finding = Finding::new(&rules::BAD_DIRECTORY, "", last..last + 22, message);
            return Err(finding.expected(claimed).found(entries.len()).into());
        }
        mark_repeated(&mut entries);
        set_apart(&mut entries)?;
        Ok(Directory { archive, entries })
    }

    /// The last entry of a name.
    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().rfind(|entry| Name(text(&entry.name).as_bytes()) == Name(name.as_bytes()))
    }

    /// The place of an entry's packed bytes, inside the archive.
    ///
    /// # Errors
    /// Inner: the finding that makes the place unknown. Outer: [`Error::Io`].
    pub fn packed(&self, entry: &Entry) -> Result<Result<Range<u64>, Box<Finding>>> {
        let input = self.archive.get_ref().0;
        let place = |(start, end)| if end <= input.length() { Ok(start..end) } else { Err(ErrorKind::Eof.into()) };
        match self.archive.get_entry(entry.way).and_then(|found| place(found.compressed_data_range())) {
            Ok(place) => Ok(Ok(place)),
            Err(error) => {
                let why = flaw(input, error)?;
                let start = entry.claims.start;
                let end = start.saturating_add(HEADER);
                let message = format!("the entry is not where the directory says: {why}");
                Ok(Err(Finding::new(&rules::BAD_ENTRY, "", start..end, message).into()))
            }
        }
    }

    /// Proves that an entry stands where the directory says.
    ///
    /// # Errors
    /// Inner: the finding that makes the entry untrustworthy. Outer: [`Error::Io`].
    pub fn judge(&self, entry: &Entry, packed: &Range<u64>) -> Result<Result<(), Box<Finding>>> {
        let Claims { start, next, method, .. } = entry.claims;
        if packed.end > next {
            return Ok(Err(overlap(next, packed.end).into()));
        }
        // The lengths of the name and of the extra field have two bytes each.
        let mut texts = vec![0; (packed.start - start).min(2 * u64::from(u16::MAX)) as usize];
        let header = self.archive.get_entry(entry.way).and_then(|found| found.local_header(&mut texts));
        let agrees = match header {
            Ok(header) => *header.file_path().as_bytes() == *entry.name && header.compression_method() == method,
            Err(error) => flaw(self.archive.get_ref().0, error).map(|_| false)?,
        };
        if agrees {
            return Ok(Ok(()));
        }
        let message = "the header of the entry has another name or another method than the directory";
        Ok(Err(Finding::new(&rules::BAD_ENTRY, "", start..packed.start, message).into()))
    }
}

/// The reason why an archive cannot be understood.
///
/// # Errors
/// The archive could not be read, so its content is unknown.
fn flaw(input: &Input<'_>, error: rawzip::Error) -> Result<ErrorKind> {
    match error.into_kind() {
        ErrorKind::IO(source) if source.kind() == io::ErrorKind::UnexpectedEof => Ok(ErrorKind::Eof),
        ErrorKind::IO(source) => Err(input.io(source)),
        kind => Ok(kind),
    }
}

/// Marks all but the last of the entries with the same name as hidden.
fn mark_repeated(entries: &mut [Entry]) {
    let mut last: HashMap<Name<'_>, usize> = HashMap::new();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (place, entry) in entries.iter().enumerate() {
        pairs.extend(last.insert(Name(&entry.name), place).map(|earlier| (earlier, place)));
    }
    for (earlier, place) in pairs {
        entries[earlier].is_hidden = true;
        entries[place].claims.is_repeated = true;
    }
}

/// Finds the limit of each entry. An entry has at least the bytes that the directory declares; further bytes of its own
/// header are judged when it is unpacked.
///
/// # Errors
/// Two of them share bytes, or one reaches into the directory.
fn set_apart(entries: &mut [Entry]) -> Result<(), Box<Finding>> {
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

/// The finding about an entry that ends after the beginning of the next one.
fn overlap(next: u64, end: u64) -> Finding {
    let message = format!("{} belong to two entries, or to an entry and the directory", bytes(end - next));
    Finding::new(&rules::OVERLAP, "", next..end, message)
}

/// A name in which both slashes are the same.
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

/// A name as text. The standard does not define bytes that are not UTF-8; here they are Latin-1.
pub(crate) fn text(name: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(name) {
        Ok(name) => name.into(),
        Err(_) => name.iter().map(|&byte| char::from(byte)).collect::<String>().into(),
    }
}
