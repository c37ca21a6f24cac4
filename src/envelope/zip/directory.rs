//! The directory of an archive: its entries and their places, read without unpacking anything.

use super::claims::Claims;
use super::ending::Ending;
use super::extras::{Extras, Wanted};
use super::rules;
use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use crate::bytes::pieces::Pieces;
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use everybyte::{Endian, Layout, ParseError, Source, read_next};
use ndbytes_schemas::zip::{DirectoryEntry, DirectorySignature, LocalHeader};
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// The maximum number of entries that are examined: the number that a directory without ZIP64 can state, and one more. An archive
/// with more breaks the rule `zip/too-many-entries`.
pub const MOST_ENTRIES: u64 = 1 << 16;

/// Bytes that are debited for each entry while the archive is examined.
pub(crate) const ENTRY_COST: u64 = 512;

const DIRECTORY: &str = "the directory of an archive";

/// An entry, as the directory describes it.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The name, byte for byte. It is a copy: another process may change the file meanwhile.
    pub name: Box<[u8]>,
    /// The claims, which do not borrow the archive's bytes.
    pub claims: Claims,
    /// True if a later entry has the same name: that one counts.
    pub is_hidden: bool,
}

/// The entries of an archive.
pub(crate) struct Directory<'a> {
    pub(super) input: &'a Input<'a>,
    /// The records after the directory.
    pub ending: Ending,
    /// In the directory's order.
    pub entries: Vec<Entry>,
}

/// The record of an entry, and its end.
struct Record {
    entry: DirectoryEntry,
    extras: Extras,
    end: u64,
}

impl<'a> Directory<'a> {
    /// Reads the directory of an archive. Adds the findings that leave it readable.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is not valid, [`Error::Limit`], [`Error::Io`].
    pub fn read(input: &'a Input<'a>, debit: &Debit<'_>, findings: &mut Findings) -> Result<Self> {
        let ending = Ending::find(input, debit)?.map_err(Error::Invalid)?;
        let claimed = ending.entries();
        let mut directory = Directory { input, ending, entries: Vec::new() };
        if claimed > MOST_ENTRIES {
            return Err(directory.too_many(claimed).into());
        }
        directory.fill(debit, findings)?.map_err(Error::Invalid)?;
        let entries = &mut directory.entries;
        if entries.len() as u64 != claimed {
            let message = "the directory has another number of entries than it declares";
            let finding = Finding::new(&rules::BAD_DIRECTORY, "", directory.ending.place.clone(), message);
            return Err(finding.expected(claimed).found(entries.len()).into());
        }
        mark_repeated(entries);
        set_apart(entries)?;
        Ok(directory)
    }

    /// Takes in the records of entries, as far as they can be read. Adds the findings that leave them readable.
    ///
    /// # Errors
    /// Inner: the finding about the first record that cannot be read. Outer: [`Error::Limit`], [`Error::Io`].
    pub fn fill(&mut self, debit: &Debit<'_>, findings: &mut Findings) -> Result<Result<(), Box<Finding>>> {
        let place = self.ending.directory.clone();
        let mut pieces = Pieces::new(self.input, place.clone());
        let mut at = place.start;
        while at < place.end {
            let number = self.entries.len();
            if number as u64 == MOST_ENTRIES {
                return Ok(Err(self.too_many(self.ending.entries().max(MOST_ENTRIES + 1)).into()));
            }
            let Record { entry, extras, end } = match pieces.parse(at, record)? {
                Ok(record) => record,
                Err(_) if pieces.parse(at, signature)?.is_ok_and(|end| end == place.end) => break,
                Err(error) => {
                    let message = format!("the directory's record of entry {number} cannot be read: {}", error.problem);
                    let finding = Finding::unreadable(&rules::BAD_DIRECTORY, &error, message);
                    return Ok(Err(finding.within(&format!("directory[{number}]")).into()));
                }
            };
            let name = entry.name.bytes();
            debit.take(ENTRY_COST + name.len() as u64, DIRECTORY)?;
            let claims = Claims::new(at, &entry, &extras, self.ending.base, place.start);
            judge_record(number, &entry, &extras, &claims, findings);
            self.entries.push(Entry { name: name.into(), claims, is_hidden: false });
            at = end;
        }
        Ok(Ok(()))
    }

    fn too_many(&self, number: u64) -> Finding {
        let message = "the archive has too many entries to be examined";
        let finding = Finding::new(&rules::TOO_MANY_ENTRIES, "", self.ending.place.clone(), message);
        finding.expected(format!("at most {MOST_ENTRIES}")).found(number)
    }

    /// The last entry of a name.
    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().rfind(|entry| Name(text(&entry.name).as_bytes()) == Name(name.as_bytes()))
    }
}

/// Reads the record of an entry.
fn record(mut source: Source<'_>) -> Result<Record, Box<ParseError>> {
    let entry: DirectoryEntry = read_next(&mut source, Endian::Little, ())?;
    let extras = Extras::read(source, entry.extra.range(), wanted(&entry))?;
    Ok(Record { entry, extras, end: source.position() })
}

/// Reads the signature of a directory. Returns its end.
fn signature(mut source: Source<'_>) -> Result<u64, Box<ParseError>> {
    read_next::<DirectorySignature>(&mut source, Endian::Little, ())?;
    Ok(source.position())
}

/// The numbers that the record of an entry leaves to its ZIP64 extra field.
pub(super) fn wanted(entry: &DirectoryEntry) -> Wanted {
    Wanted {
        offset: entry.header_offset == u32::MAX,
        disk: entry.disk == u16::MAX,
        ..Wanted::sizes(entry.uncompressed_size, entry.compressed_size)
    }
}

/// Judges what the claims about an entry do not keep of its record.
fn judge_record(number: usize, entry: &DirectoryEntry, extras: &Extras, claims: &Claims, findings: &mut Findings) {
    let path = || format!("directory[{number}]");
    judge_extras(extras, entry.extra.range(), path, findings);
    let disk = extras.zip64.as_ref().and_then(|zip64| zip64.disk).unwrap_or(entry.disk.into());
    if disk != 0 && !extras.lacks_zip64 {
        findings.push_with(&rules::MULTI_DISK, || {
            let message = format!("entry {number} is said to begin on another disk");
            Finding::new(&rules::MULTI_DISK, "disk", claims.field("disk"), message)
                .within(&path())
                .expected(0)
                .found(disk)
        });
    }
}

/// Judges the extra fields at a place in the structure of this path.
pub(super) fn judge_extras(extras: &Extras, place: Range<u64>, path: impl Fn() -> String, findings: &mut Findings) {
    if extras.lacks_zip64 {
        findings.push_with(&rules::ZIP64, || {
            let message = "the ZIP64 extra field is missing numbers that are left to it";
            Finding::new(&rules::ZIP64, "extra", place, message).within(&path())
        });
    }
    if let Some(rest) = &extras.rest {
        findings.push_with(&rules::EXTRA_FIELD, || {
            let message = "the extra fields end with bytes that are no whole field";
            Finding::new(&rules::EXTRA_FIELD, "extra", rest.clone(), message).within(&path())
        });
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

/// The entries in the order of their places in the file.
pub(super) fn in_file_order(entries: &[Entry]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..entries.len() as u32).collect();
    order.sort_unstable_by_key(|&place| entries[place as usize].claims.start);
    order
}

/// Finds the limit of each entry. An entry has at least the bytes that the directory declares; further bytes of its own
/// header are judged when it is unpacked.
///
/// # Errors
/// Two of them share bytes, or one reaches into the directory.
pub(super) fn set_apart(entries: &mut [Entry]) -> Result<(), Box<Finding>> {
    let order = in_file_order(entries);
    let mut shared = None;
    for (rank, &place) in order.iter().enumerate() {
        let following = order.get(rank + 1).map(|&next| entries[next as usize].claims.start);
        let claims = &mut entries[place as usize].claims;
        claims.next = following.map_or(claims.next, |following| following.min(claims.next));
        let shortest = LocalHeader::MIN_SIZE + claims.name_length();
        let end = claims.start.saturating_add(shortest).saturating_add(claims.packed);
        if end > claims.next && shared.is_none() {
            shared = Some(claims.overlap(end));
        }
    }
    shared.map_or(Ok(()), |finding| Err(finding.into()))
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
