//! The records at the end of an archive, which say where its directory is.

use super::rules;
use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::Reference;
use everybyte::{Endian, Layout, Source, read, read_next};
use ndbytes_schemas::zip::{DirectoryEntry, EndRecord, Zip64EndRecord, Zip64Locator};
use std::fmt::Display;
use std::ops::Range;

/// The greatest distance from the end at which the end record of an archive begins: it may have a comment.
const LONGEST: u64 = EndRecord::MIN_SIZE + u16::MAX as u64;

/// The records at the end of an archive.
#[derive(Debug)]
pub(crate) struct Ending {
    /// The place of the end record, with its comment.
    pub place: Range<u64>,
    pub record: EndRecord,
    /// The records of a large archive.
    pub large: Option<Large>,
    /// The place of the directory.
    pub directory: Range<u64>,
    /// Bytes before the archive that its offsets do not count.
    pub base: u64,
}

/// The records that a large archive has before its end record.
#[derive(Debug)]
pub(crate) struct Large {
    /// Offset of the ZIP64 end record.
    pub start: u64,
    pub record: Zip64EndRecord,
    /// Offset of the locator.
    pub locator_start: u64,
    pub locator: Zip64Locator,
}

impl Ending {
    /// Finds the records.
    ///
    /// # Errors
    /// Inner: the finding that leaves the place of the directory unknown. Outer: [`Error::Limit`](crate::Error::Limit),
    /// [`Error::Io`](crate::Error::Io).
    pub fn find(input: &Input<'_>, debit: &Debit<'_>) -> Result<Result<Self, Box<Finding>>> {
        let length = input.length();
        let unreadable = |at: u64, why: &dyn Display| {
            let message = format!("the archive does not end with a readable directory: {why}");
            Finding::new(&rules::BAD_DIRECTORY, "", at..length, message)
        };
        let cut_off = |finding: Finding| Ok(Err(finding.help("the archive may have been cut off").into()));
        let from = length.saturating_sub(LONGEST);
        let tail = input.owned(from..length, debit)?;
        let Some(place) = tail.windows(EndRecord::MAGIC.len()).rposition(|bytes| bytes == EndRecord::MAGIC) else {
            return cut_off(unreadable(length, &"the end record is missing"));
        };
        let start = from + place as u64;
        let mut source = Source::window(&tail, from, length).at(start);
        let record: EndRecord = match read_next(&mut source, Endian::Little, ()) {
            Ok(record) => record,
            Err(error) => return cut_off(unreadable(start, &error)),
        };
        let mut ending = Ending { place: start..source.position(), record, large: None, directory: 0..start, base: 0 };
        ending.large = match large(input, start)? {
            Some(large) if ending.agrees_with(&large.record) => Some(large),
            Some(large) => {
                let finding = unreadable(large.start, &"the ZIP64 end record contradicts the end record");
                // .NET takes the numbers of the end record.
                return Ok(Err(finding.with_reference(Reference::Accepts).into()));
            }
            None => None,
        };
        let end = ending.large.as_ref().map_or(start, |large| large.start);
        let (mut offset, size) = (ending.directory_offset(), ending.directory_size());
        if offset > end {
            return Ok(Err(unreadable(start, &format_args!("it is said to begin at byte {offset}")).into()));
        }
        if ending.large.is_none() && !is_directory(input, offset)? {
            // Something stands before the archive that its offsets do not count.
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

    /// Bytes of the directory that the records declare.
    pub fn directory_size(&self) -> u64 {
        self.large.as_ref().map_or(self.record.directory_size.into(), |large| large.record.directory_size)
    }

    fn directory_offset(&self) -> u64 {
        self.large.as_ref().map_or(self.record.directory_offset.into(), |large| large.record.directory_offset)
    }

    /// Returns whether the numbers of the end record are those of the ZIP64 end record, or left to it.
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

/// The records of a large archive before its end record, or `None` if they are not there, or are not valid.
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
