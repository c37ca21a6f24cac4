//! The records at the end of an archive, which state where its directory is.
//!
//! The end record may be followed by a comment of up to 65,535 bytes, so the last bytes of the file are searched for its signature.
//! In a large archive, a locator before the end record points to the ZIP64 end record, whose numbers replace those that do not fit.
//! Other bytes may precede the archive, as in a self-extracting one. Offsets are then relative to the beginning of the archive: see
//! [`Ending::base`].

use super::rules;
use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::{Reactions, Reference};
use everybyte::{Endian, Layout, ParseError, Source, read, trace::read_next};
use ndbytes_schemas::zip::{DirectoryEntry, EndRecord, Zip64EndRecord, Zip64Locator};
use std::fmt::Display;
use std::ops::Range;

/// The maximum distance of the end record from the end of an archive, including the longest comment.
const LONGEST: u64 = EndRecord::MIN_SIZE + u16::MAX as u64;

/// The reactions to an error that Python's `zipfile`, and the readers that use it, ignore, but for which .NET refuses the archive.
pub(super) const BY_ZIPFILE: Reactions =
    Reactions { dotnet: Reference::Refuses, numpy: Reference::Accepts, blosc2: Reference::Accepts };

/// The records at the end of an archive.
#[derive(Debug)]
pub(crate) struct Ending {
    /// The position of the end record, with its comment.
    pub place: Range<u64>,
    pub record: EndRecord,
    /// The records of a large archive.
    pub large: Option<Large>,
    /// The position of the directory.
    pub directory: Range<u64>,
    /// The number of bytes before the archive that its offsets do not include.
    pub base: u64,
}

/// The records before the end record of a large archive.
#[derive(Debug)]
pub(crate) struct Large {
    /// The offset of the ZIP64 end record.
    pub start: u64,
    pub record: Zip64EndRecord,
    /// The offset of the locator.
    pub locator_start: u64,
    pub locator: Zip64Locator,
}

impl Ending {
    /// Finds the records. Adds flaws that some readers ignore.
    ///
    /// # Errors
    /// Inner error: the finding if the position of the directory is unknown. Outer error: [`Error::Limit`](crate::Error::Limit),
    /// [`Error::Io`](crate::Error::Io).
    pub fn find(input: &Input<'_>, debit: &Debit<'_>, flaws: &mut Vec<Finding>) -> Result<Result<Self, Box<Finding>>> {
        let length = input.length();
        let unreadable = |at: u64, why: &dyn Display| {
            let message = format!("the archive does not end with a readable directory: {why}");
            Finding::new(&rules::BAD_DIRECTORY, "", at..length, message)
        };
        let cut_off = |finding: Finding| Ok(Err(finding.help("the archive may be truncated").into()));
        let from = length.saturating_sub(LONGEST);
        let tail = input.owned(from..length, debit)?;
        let Some(place) = tail.windows(EndRecord::MAGIC.len()).rposition(|bytes| bytes == EndRecord::MAGIC) else {
            return cut_off(unreadable(length, &"the end record is missing"));
        };
        let start = from + place as u64;
        let (record, end) = match end_record(Source::window(&tail, from, length).at(start)) {
            Ok(read) => read,
            Err(error) => match without_comment(&tail[place..]) {
                Some(record) => {
                    let finding = unreadable(start, &error).help("the archive may have been cut off");
                    flaws.push(finding.with_reactions(BY_ZIPFILE));
                    (record, length)
                }
                None => return cut_off(unreadable(start, &error)),
            },
        };
        let mut ending = Ending { place: start..end, record, large: None, directory: 0..start, base: 0 };
        ending.large = large(input, start)?;
        if let Some(large) = ending.large.as_ref().filter(|large| !ending.agrees_with(&large.record)) {
            let finding = unreadable(large.start, &"the ZIP64 end record contradicts the end record");
            // .NET uses the numbers in the end record, and `zipfile` uses those in the ZIP64 end record.
            flaws.push(finding.with_reactions(Reactions::all(Reference::Accepts)));
        }
        let end = ending.large.as_ref().map_or(start, |large| large.start);
        let (mut offset, size) = (ending.directory_offset(), ending.directory_size());
        if offset > end {
            return Ok(Err(unreadable(start, &format_args!("it is declared to begin at byte {offset}")).into()));
        }
        if ending.large.is_none() && !is_directory(input, offset)? {
            // There may be bytes before the archive that its offsets do not include.
            let before_end = end.saturating_sub(size);
            if before_end > offset && is_directory(input, before_end)? {
                ending.base = before_end - offset;
                offset = before_end;
            }
        }
        ending.directory = offset..end;
        Ok(Ok(ending))
    }

    /// The number of entries that the records declare.
    pub fn entries(&self) -> u64 {
        self.large.as_ref().map_or(self.record.entries.into(), |large| large.record.entries)
    }

    /// The length of the directory according to the records.
    pub fn directory_size(&self) -> u64 {
        self.large.as_ref().map_or(self.record.directory_size.into(), |large| large.record.directory_size)
    }

    /// The offset of the directory, taken from the ZIP64 end record if there is one.
    fn directory_offset(&self) -> u64 {
        self.large.as_ref().map_or(self.record.directory_offset.into(), |large| large.record.directory_offset)
    }

    /// Returns whether each number in the end record either equals the one in the ZIP64 end record or is left to it.
    fn agrees_with(&self, large: &Zip64EndRecord) -> bool {
        let EndRecord { disk_entries, entries, directory_size, directory_offset, .. } = self.record;
        let same_count = |small: u16, large: u64| small == u16::MAX || u64::from(small) == large;
        let same_size = |small: u32, large: u64| small == u32::MAX || u64::from(small) == large;
        same_count(disk_entries, large.disk_entries)
            && same_count(entries, large.entries)
            && same_size(directory_size, large.directory_size)
            && same_size(directory_offset, large.directory_offset)
    }
}

/// Reads an end record. Also returns its end.
fn end_record(mut source: Source<'_>) -> Result<(EndRecord, u64), Box<ParseError>> {
    let record = read_next(&mut source, Endian::Little, ())?;
    Ok((record, source.position()))
}

/// Returns an end record whose comment is cut off, without the comment.
fn without_comment(bytes: &[u8]) -> Option<EndRecord> {
    let mut bytes = bytes.get(..EndRecord::MIN_SIZE as usize)?.to_vec();
    let length = bytes.len() - size_of::<u16>();
    bytes[length..].fill(0);
    read(Source::new(&bytes), Endian::Little, ()).ok()
}

/// Returns the records of a large archive before its end record, or `None` if they do not exist or are not valid.
fn large(input: &Input<'_>, end_start: u64) -> Result<Option<Large>> {
    let Some(locator_start) = end_start.checked_sub(Zip64Locator::MIN_SIZE) else { return Ok(None) };
    let locate = |source: Source<'_>| read::<Zip64Locator>(source, Endian::Little, ());
    let Ok(locator) = input.parse_near(locator_start, Zip64Locator::MIN_SIZE, locate)? else { return Ok(None) };
    let start = locator.end_offset;
    if start >= locator_start {
        return Ok(None);
    }
    let parse = |source: Source<'_>| {
        let mut source = source.until(locator_start);
        let record: Zip64EndRecord = read_next(&mut source, Endian::Little, ())?;
        Ok((record, source.position()))
    };
    Ok(match input.parse_near(start, Zip64EndRecord::MIN_SIZE, parse)? {
        Ok((record, end)) if end == locator_start => Some(Large { start, record, locator_start, locator }),
        _ => None,
    })
}

/// Returns whether the record of an entry begins at an offset.
fn is_directory(input: &Input<'_>, offset: u64) -> Result<bool> {
    let parse = |source: Source<'_>| read::<DirectoryEntry>(source, Endian::Little, ());
    Ok(input.parse_near(offset, DirectoryEntry::MIN_SIZE, parse)?.is_ok())
}
