//! Splits zip archives into parts.

use super::super::deflate::inflated;
use super::file_parts::{DEFLATED, DESCRIPTOR, Descriptor, FileParts, Member, STORED};
use everybyte::{Endian, Layout, Source, trace::read_next};
use ndbytes_schemas::zip::{DESCRIPTOR_MAGIC, DirectoryEntry, EndRecord, LocalHeader, Zip64Locator};

/// The maximum number of bytes to which members are unpacked, and the maximum number of members.
const MOST: usize = 1 << 20;
const MOST_MEMBERS: usize = 256;

/// The identifier of the ZIP64 extra field, as stored.
const ZIP64: [u8; 2] = [1, 0];

/// The length of the ZIP64 locator in bytes.
const LOCATOR: usize = Zip64Locator::MIN_SIZE as usize;

/// Splits an archive into parts; returns `None` if it has no readable directory, or a member that cannot be unpacked.
/// If the archive has ZIP64 records, their numbers are used.
pub(crate) fn take_apart(file: &[u8]) -> Option<FileParts> {
    let start = file.windows(EndRecord::MAGIC.len()).rposition(|four| four == EndRecord::MAGIC)?;
    let end: EndRecord = read_next(&mut Source::new(file).at(start as u64), Endian::Little, ()).ok()?;
    let before = start.checked_sub(LOCATOR).and_then(|at| file.get(at..start));
    let has_large = before.is_some_and(|locator| locator.starts_with(&Zip64Locator::MAGIC));
    let is_left = end.directory_offset == u32::MAX;
    let offset = if is_left { directory_offset(file, start)? } else { end.directory_offset.into() };
    let mut source = Source::new(file).at(offset);
    let mut records = Vec::new();
    // Parsing a missing record would produce a long error.
    let is_next = |at: u64| file.get(at as usize..).is_some_and(|rest| rest.starts_with(&DirectoryEntry::MAGIC));
    while is_next(source.position())
        && let Ok(record) = read_next::<DirectoryEntry>(&mut source, Endian::Little, ())
    {
        records.push(record);
        if records.len() > MOST_MEMBERS {
            return None;
        }
    }
    // If the offsets do not include the bytes before the archive, the directory cannot be found.
    if records.is_empty() || end.entries != u16::MAX && usize::from(end.entries) != records.len() {
        return None;
    }
    let mut room = MOST;
    let mut members = Vec::new();
    for record in &records {
        let (at, member) = member(file, record, room)?;
        room = room.checked_sub(member.content.len())?;
        members.push((at, members.len(), member));
    }
    members.sort_by_key(|(at, number, _)| (*at, *number));
    let mut order = vec![0; members.len()];
    for (place, (_, number, _)) in members.iter().enumerate() {
        *order.get_mut(*number)? = place;
    }
    Some(FileParts {
        members: members.into_iter().map(|(_, _, member)| member).collect(),
        order,
        comment: end.comment.bytes().to_vec(),
        signature: None,
        large: has_large.then_some(is_left),
    })
}

/// Returns the offset of the directory in the ZIP64 end record before an end record.
fn directory_offset(file: &[u8], start: usize) -> Option<u64> {
    let locator = file.get(start.checked_sub(LOCATOR)?..start)?;
    let end = locator.get(8..)?.first_chunk().copied().map(u64::from_le_bytes)?;
    let record = file.get(usize::try_from(end).ok()?..)?;
    record.get(48..)?.first_chunk().copied().map(u64::from_le_bytes)
}

/// Returns the numbers of the ZIP64 extra field, and the other fields.
fn parted(extra: &[u8]) -> (Vec<u64>, Vec<u8>) {
    let (mut numbers, mut others, mut rest) = (Vec::new(), Vec::new(), extra);
    while let [first, second, low, high, after @ ..] = rest {
        let length = usize::from(u16::from_le_bytes([*low, *high]));
        let Some((data, next)) = after.split_at_checked(length) else { break };
        if [*first, *second] == ZIP64 && numbers.is_empty() {
            numbers = data.as_chunks().0.iter().map(|number| u64::from_le_bytes(*number)).collect();
        } else {
            others.extend(&rest[..4 + length]);
        }
        rest = next;
    }
    others.extend(rest);
    (numbers, others)
}

/// Returns a member and its offset.
fn member(file: &[u8], record: &DirectoryEntry, most: usize) -> Option<(u64, Member)> {
    let part = |place: std::ops::Range<u64>| file.get(place.start as usize..place.end as usize);
    let (numbers, own) = parted(part(record.extra.range())?);
    let mut numbers = numbers.into_iter();
    let mut number = |stated: u32| if stated == u32::MAX { numbers.next() } else { Some(stated.into()) };
    let length = number(record.uncompressed_size)?;
    let packed = number(record.compressed_size)?;
    let offset = number(record.header_offset)?;
    let mut source = Source::new(file).at(offset);
    let header: LocalHeader = read_next(&mut source, Endian::Little, ()).ok()?;
    let start = source.position();
    let data = part(start..start.checked_add(packed)?)?;
    let content = match record.method.0 {
        STORED => data.get(..data.len().min(most))?.to_vec(),
        DEFLATED => inflated(data, most)?.0,
        _ => return None,
    };
    if content.len() as u64 != length {
        return None;
    }
    let (local_numbers, local) = parted(part(header.extra.range())?);
    let has_large = !local_numbers.is_empty();
    let after = file.get(start as usize + data.len()..).unwrap_or_default();
    let descriptor = Descriptor {
        is_signed: after.starts_with(&DESCRIPTOR_MAGIC),
        is_large: has_large,
        is_repeated: header.crc32 != 0,
    };
    let member = Member {
        name: record.name.bytes().to_vec(),
        packed: data.to_vec(),
        content,
        method: record.method.0,
        flags: record.flags.raw(),
        version_needed: record.version_needed,
        made_by: u16::from_le_bytes([record.made_by_version, record.made_by_system.0]),
        changed: [record.time.0, record.date.0],
        extra: [local, own],
        comment: record.comment.bytes().to_vec(),
        internal: record.internal_attributes,
        external: record.external_attributes,
        descriptor: (record.flags.raw() & DESCRIPTOR != 0).then_some(descriptor),
        large: [has_large, record.uncompressed_size == u32::MAX, record.header_offset == u32::MAX],
    };
    Some((offset, member))
}
