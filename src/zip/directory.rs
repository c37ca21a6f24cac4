//! The directory of an archive: its entries and their positions, read without unpacking anything.
//!
//! A record states where its entry begins, but not where it ends, because the header of the entry repeats the name and has its own
//! extra fields, and a data descriptor may follow the data. An entry is therefore assumed to end at the start of the next one in
//! the file, or at the start of the directory.
//!
//! Readers differ in the flaws that they tolerate. `Directory::look` reads as far as any of them and collects the flaws.
//! `Directory::read` refuses an archive with any flaw. Names are copied, not borrowed, because another process may change the file
//! in the meantime.

use super::content::{content_at_head, content_of};
use super::directory_claims::DirectoryClaims;
use super::ending::{BY_ZIPFILE, Ending};
use super::extras::{Extras, Wanted};
use super::rules;
use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use crate::bytes::pieces::Pieces;
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::{Reactions, Reference};
use crate::format::Format;
use everybyte::{Endian, Layout, ParseError, Source, trace::read_next};
use ndbytes_schemas::zip::{DirectoryEntry, DirectorySignature, ExtraField, LocalHeader};
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// The maximum number of entries that are examined, which is one more than a directory without ZIP64 can state. An archive with
/// more entries breaks the `zip/too-many-entries` rule.
pub const MOST_ENTRIES: u64 = 1 << 16;

/// The memory in bytes that is debited for each entry while the archive is examined.
pub(crate) const ENTRY_COST: u64 = 512;

/// What messages call the directory.
const DIRECTORY: &str = "the directory of an archive";

/// Version 6.3 of the specification, in the encoding that entries use for the required version.
const LAST_VERSION: u8 = 63;

/// The length of a record whose name has the maximum length.
const LONGEST_RECORD: u64 = DirectoryEntry::MIN_SIZE + u16::MAX as u64;

/// An entry, as the directory describes it.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The name, byte for byte. It is a copy, because another process may change the file in the meantime.
    pub name: Box<[u8]>,
    /// The claims about it, which do not borrow the archive's bytes.
    pub claims: DirectoryClaims,
    /// True if a later entry has the same name and takes precedence.
    pub is_hidden: bool,
}

/// The entries of an archive.
pub(crate) struct Directory<'a> {
    pub(super) input: &'a Input<'a>,
    /// The records after the directory.
    pub ending: Ending,
    /// The entries, in directory order.
    pub entries: Vec<Entry>,
    /// Flaws of the directory that some readers ignore. This library does not read an archive that has any.
    pub flaws: Vec<Finding>,
}

/// The record of an entry, and its end.
struct Record {
    entry: DirectoryEntry,
    extras: Extras,
    end: u64,
}

impl<'a> Directory<'a> {
    /// Reads the directory of an archive. Adds findings that do not prevent reading.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is invalid; [`Error::Limit`]; [`Error::Io`].
    pub fn read(input: &'a Input<'a>, debit: &Debit<'_>, findings: &mut Findings) -> Result<Self> {
        let mut directory = Directory::look(input, debit, findings)?;
        match directory.refusal() {
            Some(flaw) => Err(flaw.into()),
            None => Ok(directory),
        }
    }

    /// Like `read`, but reads as far as any archive reader would. The result may have flaws.
    pub fn look(input: &'a Input<'a>, debit: &Debit<'_>, findings: &mut Findings) -> Result<Self> {
        let mut flaws = Vec::new();
        let unreadable = |flaw: Box<Finding>| Error::from(flaw.in_archive_of(content_at_head(input)));
        let ending = Ending::find(input, debit, &mut flaws)?.map_err(unreadable)?;
        let claimed = ending.entries();
        let mut directory = Directory { input, ending, entries: Vec::new(), flaws };
        if claimed > MOST_ENTRIES && directory.flaws.is_empty() {
            return Err(directory.too_many(claimed).into());
        }
        directory.fill(debit, findings)?.map_err(unreadable)?;
        let found = directory.entries.len();
        if found as u64 != claimed {
            let message = "the number of entries in the directory is not the declared one";
            let finding = Finding::new(&rules::BAD_DIRECTORY, "", directory.ending.place.clone(), message);
            directory.flaws.push(finding.expected(claimed).found(found).with_reactions(BY_ZIPFILE));
        }
        mark_repeated(&mut directory.entries);
        Ok(directory)
    }

    /// Determines the ends of the entries. Returns why the archive is not read, which is a flaw of the directory or entries that
    /// share bytes.
    pub fn refusal(&mut self) -> Option<Finding> {
        let shared = set_apart(&mut self.entries).err();
        let flaw = self.flaws.first().cloned().or(shared.map(|shared| *shared))?;
        Some(flaw.in_archive_of(self.content()))
    }

    /// The kind of content, which determines the reference reader.
    pub fn content(&self) -> Option<Format> {
        content_of(self.input.path(), self.entries.iter().map(|entry| &*entry.name))
    }

    /// Adds the records of entries as far as they can be read, and findings that do not prevent reading.
    ///
    /// # Errors
    /// Inner error: the finding about the first record that cannot be read. Outer error: [`Error::Limit`]; [`Error::Io`].
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
                Err(_) if pieces.parse(at, signature)?.is_ok_and(|end| end == place.end) => {
                    let message = "the directory has a signature";
                    findings.push(Finding::new(
                        &rules::DIRECTORY_SIGNATURE,
                        "directory_signature",
                        at..place.end,
                        message,
                    ));
                    break;
                }
                Err(error) => {
                    let message = format!("the directory's record of entry {number} cannot be read: {}", error.problem);
                    let finding = Finding::unreadable(&rules::BAD_DIRECTORY, &error, message);
                    let finding = finding.within(&format!("directory[{number}]"));
                    match clipped(self.input, at..place.end)? {
                        Some(record) => {
                            self.flaws.push(finding.with_reactions(BY_ZIPFILE));
                            record
                        }
                        None => return Ok(Err(finding.into())),
                    }
                }
            };
            let name = entry.name.bytes();
            debit.take(ENTRY_COST + name.len() as u64, DIRECTORY)?;
            let claims = DirectoryClaims::new(at, &entry, &extras, self.ending.base, place.start);
            judge_record(number, &entry, &extras, &claims, findings);
            self.entries.push(Entry { name: name.into(), claims, is_hidden: false });
            at = end;
        }
        Ok(Ok(()))
    }

    /// The finding for an archive with too many entries to examine.
    fn too_many(&self, number: u64) -> Finding {
        let message = "the archive has too many entries to be examined";
        let finding = Finding::new(&rules::TOO_MANY_ENTRIES, "", self.ending.place.clone(), message);
        finding.expected(format!("at most {MOST_ENTRIES}")).found(number)
    }

    /// The last entry with this name.
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

/// Returns the last record of a directory if it extends beyond the directory's end. `zipfile` accepts it and reads those bytes.
fn clipped(input: &Input<'_>, place: Range<u64>) -> Result<Option<Record>> {
    let length = place.end - place.start;
    if !(DirectoryEntry::MIN_SIZE..LONGEST_RECORD).contains(&length) {
        return Ok(None);
    }
    let mut bytes = input.copied(&place)?;
    let lengths = DirectoryEntry::MIN_SIZE as usize - 18;
    let mut left = (length - DirectoryEntry::MIN_SIZE) as u16;
    for stated in bytes[lengths..lengths + 6].chunks_exact_mut(2) {
        let stated: &mut [u8; 2] = stated.try_into().expect("two bytes");
        let taken = u16::from_le_bytes(*stated).min(left);
        *stated = taken.to_le_bytes();
        left -= taken;
    }
    Ok(record(Source::window(&bytes, place.start, place.end).at(place.start)).ok())
}

/// Reads the digital signature of a directory. Returns its end.
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

/// Checks parts of an entry's record that are not kept in the claims.
fn judge_record(
    number: usize,
    entry: &DirectoryEntry,
    extras: &Extras,
    claims: &DirectoryClaims,
    findings: &mut Findings,
) {
    let path = || format!("directory[{number}]");
    judge_extras(extras, entry.extra.range(), path, true, findings);
    if entry.version_needed.to_le_bytes()[0] > LAST_VERSION {
        findings.push_with(&rules::VERSION_NEEDED, || {
            let message = format!("entry {number} needs a version of the specification that there is not");
            Finding::new(&rules::VERSION_NEEDED, "version_needed", claims.field("version_needed"), message)
                .within(&path())
                .expected(format!("at most {LAST_VERSION}"))
                .found(entry.version_needed.to_le_bytes()[0])
        });
    }
    let disk = extras.zip64.as_ref().and_then(|zip64| zip64.disk).unwrap_or(entry.disk.into());
    if disk != 0 && !extras.lacks_zip64 {
        findings.push_with(&rules::MULTI_DISK, || {
            let message = format!("entry {number} is declared to begin on another disk");
            Finding::new(&rules::MULTI_DISK, "disk", claims.field("disk"), message)
                .within(&path())
                .expected(0)
                .found(disk)
        });
    }
}

/// Checks the extra fields at a position in the structure with this path. `zipfile` checks only those in the directory.
pub(super) fn judge_extras(
    extras: &Extras,
    place: Range<u64>,
    path: impl Fn() -> String,
    is_in_directory: bool,
    findings: &mut Findings,
) {
    let by_zipfile = |is_refused: bool| match is_refused && is_in_directory {
        true => Reactions { dotnet: Reference::Accepts, ..Reactions::all(Reference::Refuses) },
        false => Reactions::all(Reference::Accepts),
    };
    if extras.lacks_zip64 {
        findings.push_with(&rules::ZIP64, || {
            let message = "the ZIP64 extra field does not have all of its numbers";
            let finding = Finding::new(&rules::ZIP64, "extra", place, message).within(&path());
            finding.with_reactions(by_zipfile(extras.has_short_zip64))
        });
    }
    if let Some(rest) = &extras.rest {
        findings.push_with(&rules::EXTRA_FIELD, || {
            let message = "the extra fields end with an incomplete field";
            let finding = Finding::new(&rules::EXTRA_FIELD, "extra", rest.clone(), message).within(&path());
            // If there are fewer bytes left than in the head of a field, `zipfile` skips them.
            finding.with_reactions(by_zipfile(rest.end - rest.start >= ExtraField::MIN_SIZE))
        });
    }
}

/// Marks all entries with the same name as hidden, except the last.
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

/// Returns the entries in the order of their positions in the file.
pub(super) fn in_file_order(entries: &[Entry]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..entries.len() as u32).collect();
    order.sort_unstable_by_key(|&place| entries[place as usize].claims.start);
    order
}

/// Finds the limit of each entry. An entry has at least the bytes that the directory declares. Further bytes of its own header are
/// checked when it is unpacked.
///
/// Zip bombs use entries that share bytes, such as a thousand entries for one stream that expands a thousandfold. After sorting
/// entries by position, it is enough to compare neighbours: if two entries overlap, the first of them also overlaps its neighbour.
///
/// # Errors
/// The finding that two entries share bytes, or that one extends into the directory.
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

/// A name in which both kinds of slashes are treated as equal.
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

/// Decodes a name. The specification does not define names that are not UTF-8. They are treated as Latin-1 here.
pub(crate) fn text(name: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(name) {
        Ok(name) => name.into(),
        Err(_) => name.iter().map(|&byte| char::from(byte)).collect::<String>().into(),
    }
}
