//! Builds zip archives.

use super::super::deflate::crc32;
use ndbytes_schemas::zip::{
    DESCRIPTOR_MAGIC, DirectoryEntry, DirectorySignature, EndRecord, LocalHeader, Zip64EndRecord, Zip64Locator,
};

/// The supported compression methods.
pub(crate) const STORED: u16 = 0;
pub(crate) const DEFLATED: u16 = 8;

/// The flags for data descriptors and for UTF-8.
pub(crate) const DESCRIPTOR: u16 = 1 << 3;
pub(crate) const UTF8: u16 = 1 << 11;

/// The identifier of the ZIP64 extra field.
const ZIP64: u16 = 1;

/// The version of the specification that ZIP64 needs.
const VERSION_64: u16 = 45;

/// A member of an archive.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub name: Vec<u8>,
    /// The unpacked bytes.
    pub content: Vec<u8>,
    pub method: u16,
    /// The data as stored in the archive.
    pub packed: Vec<u8>,
    /// The flags; the flag for data descriptors follows from `descriptor`.
    pub flags: u16,
    pub version_needed: u16,
    /// The version and the system of the writer.
    pub made_by: u16,
    /// Time and date of the last change.
    pub changed: [u16; 2],
    /// The extra fields before the data, and in the directory.
    pub extra: [Vec<u8>; 2],
    pub comment: Vec<u8>,
    pub internal: u16,
    pub external: u32,
    /// The data descriptor.
    pub descriptor: Option<Descriptor>,
    /// Which numbers are moved to the ZIP64 extra field: the sizes before the data, the sizes in the directory, and the offset.
    pub large: [bool; 3],
}

/// A data descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Descriptor {
    pub is_signed: bool,
    pub is_large: bool,
    /// Whether the header before the data also contains the checksum and the sizes.
    pub is_repeated: bool,
}

/// An archive.
#[derive(Debug, Clone)]
pub(crate) struct FileParts {
    /// The members, in the order of the file.
    pub members: Vec<Member>,
    /// The order of the directory, by numbers of members.
    pub order: Vec<usize>,
    pub comment: Vec<u8>,
    /// The signature of the directory.
    pub signature: Option<Vec<u8>>,
    /// The ZIP64 records; true if the end record moves all numbers to them.
    pub large: Option<bool>,
}

impl Member {
    /// Creates a stored member without optional parts.
    pub fn stored(name: impl Into<Vec<u8>>, content: Vec<u8>) -> Self {
        Member {
            name: name.into(),
            packed: content.clone(),
            content,
            method: STORED,
            flags: 0,
            version_needed: 20,
            made_by: 20,
            changed: [0, 0x21],
            extra: Default::default(),
            comment: Vec::new(),
            internal: 0,
            external: 0,
            descriptor: None,
            large: [false; 3],
        }
    }

    fn flags(&self) -> u16 {
        if self.descriptor.is_some() { self.flags | DESCRIPTOR } else { self.flags & !DESCRIPTOR }
    }

    fn version_needed(&self) -> u16 {
        if self.large.contains(&true) { self.version_needed.max(VERSION_64) } else { self.version_needed }
    }

    /// Returns the checksum and the packed and unpacked length.
    fn sums(&self) -> [u32; 3] {
        [crc32(&self.content), self.packed.len() as u32, self.content.len() as u32]
    }

    /// Writes the fields that are common to both headers. `extra` is the extra field of this header.
    fn common(&self, record: &mut Record, sums: [u32; 3], extra: &[u8]) {
        record.short(self.version_needed()).short(self.flags()).short(self.method);
        self.changed.iter().for_each(|part| {
            record.short(*part);
        });
        sums.iter().for_each(|sum| {
            record.long(*sum);
        });
        record.length(&self.name).length(extra);
    }

    /// Returns the header, the data, and the descriptor.
    pub fn entry(&self) -> Vec<u8> {
        let sums = self.sums();
        let [crc, packed, length] = sums;
        let is_later = self.descriptor.is_some_and(|descriptor| !descriptor.is_repeated);
        let [large, ..] = self.large;
        // Sizes of zero in the extra field mean that the sizes are in the descriptor.
        let zip64 = if is_later { [0, 0] } else { [length, packed].map(u64::from) };
        let extra = if large { [&*field64(&zip64), &self.extra[0]].concat() } else { self.extra[0].clone() };
        let stated = match (large, is_later) {
            (true, later) => [if later { 0 } else { crc }, u32::MAX, u32::MAX],
            (false, true) => [0; 3],
            (false, false) => sums,
        };
        let mut record = Record(LocalHeader::MAGIC.to_vec());
        self.common(&mut record, stated, &extra);
        record.0.extend(&self.name);
        record.0.extend(&extra);
        record.0.extend(&self.packed);
        if let Some(descriptor) = self.descriptor {
            if descriptor.is_signed {
                record.0.extend(DESCRIPTOR_MAGIC);
            }
            record.long(crc);
            for size in [packed, length] {
                if descriptor.is_large {
                    record.wide(size.into())
                } else {
                    record.long(size)
                };
            }
        }
        record.0
    }

    /// Returns the record in the directory.
    pub fn record(&self, offset: u64) -> Vec<u8> {
        let [crc, packed, length] = self.sums();
        let [_, sizes, place] = self.large;
        let mut numbers = Vec::new();
        if sizes {
            numbers.extend([u64::from(length), packed.into()]);
        }
        if place {
            numbers.push(offset);
        }
        let own = &self.extra[1];
        let extra = if numbers.is_empty() { own.clone() } else { [&*field64(&numbers), own].concat() };
        let stated = if sizes { [crc, u32::MAX, u32::MAX] } else { [crc, packed, length] };
        let mut record = Record(DirectoryEntry::MAGIC.to_vec());
        record.short(self.made_by);
        self.common(&mut record, stated, &extra);
        record.length(&self.comment).short(0).short(self.internal).long(self.external);
        record.long(if place { u32::MAX } else { offset as u32 });
        record.0.extend(&self.name);
        record.0.extend(&extra);
        record.0.extend(&self.comment);
        record.0
    }
}

/// Returns a ZIP64 extra field.
fn field64(numbers: &[u64]) -> Vec<u8> {
    let mut field = Record(Vec::new());
    field.short(ZIP64).short(numbers.len() as u16 * 8);
    numbers.iter().for_each(|number| {
        field.wide(*number);
    });
    field.0
}

/// Builds an archive.
pub(crate) fn put_together(draft: &FileParts) -> Vec<u8> {
    let mut file = Record(Vec::new());
    let mut offsets = Vec::new();
    for member in &draft.members {
        offsets.push(file.0.len() as u64);
        file.0.extend(member.entry());
    }
    let start = file.0.len() as u64;
    for &number in &draft.order {
        if let (Some(member), Some(offset)) = (draft.members.get(number), offsets.get(number)) {
            file.0.extend(member.record(*offset));
        }
    }
    if let Some(signature) = &draft.signature {
        file.0.extend(DirectorySignature::MAGIC);
        file.length(signature);
        file.0.extend(signature);
    }
    let (size, count) = (file.0.len() as u64 - start, draft.order.len() as u64);
    if draft.large.is_some() {
        let end = file.0.len() as u64;
        file.0.extend(Zip64EndRecord::MAGIC);
        file.wide(44).short(VERSION_64).short(VERSION_64).long(0).long(0);
        file.wide(count).wide(count).wide(size).wide(start);
        file.0.extend(Zip64Locator::MAGIC);
        file.long(0).wide(end).long(1);
    }
    file.0.extend(EndRecord::MAGIC);
    file.short(0).short(0);
    match draft.large {
        Some(true) => file.short(u16::MAX).short(u16::MAX).long(u32::MAX).long(u32::MAX),
        _ => file.short(count as u16).short(count as u16).long(size as u32).long(start as u32),
    };
    file.length(&draft.comment);
    file.0.extend(&draft.comment);
    file.0
}

/// The bytes of a record, in which numbers are little-endian.
struct Record(Vec<u8>);

impl Record {
    fn short(&mut self, number: u16) -> &mut Self {
        self.0.extend(number.to_le_bytes());
        self
    }

    fn long(&mut self, number: u32) -> &mut Self {
        self.0.extend(number.to_le_bytes());
        self
    }

    fn wide(&mut self, number: u64) -> &mut Self {
        self.0.extend(number.to_le_bytes());
        self
    }

    fn length(&mut self, part: &[u8]) -> &mut Self {
        self.short(part.len() as u16)
    }
}
