//! The claims of the directory about an entry.

use super::extras::{Extras, wide};
use super::rules;
use crate::findings::finding::Finding;
use crate::findings::place::field_at;
use crate::findings::rule::Reference;
use crate::findings::words::bytes;
use everybyte::Layout;
use ndbytes_schemas::zip::LocalHeader;
use ndbytes_schemas::zip::{DirectoryEntry, Flags, Method, Zip64};
use std::ops::Range;

/// The claims of the directory about an entry, and the findings about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claims {
    /// Offset of the directory's record of the entry.
    pub record: u64,
    name_length: u16,
    /// Offset of the entry.
    pub start: u64,
    pub flags: Flags,
    pub method: Method,
    pub crc: u32,
    /// Bytes before unpacking.
    pub packed: u64,
    /// Bytes after unpacking.
    pub length: u64,
    /// Offset of the next entry or of the directory.
    pub next: u64,
    /// True if an earlier entry has the same name.
    pub is_repeated: bool,
}

/// The checksum and the sizes of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sums {
    pub crc: u32,
    pub packed: u64,
    pub length: u64,
}

impl Claims {
    /// The claims of the record at an offset. The archive begins at `base`, and its directory at `directory`.
    pub fn new(record: u64, entry: &DirectoryEntry, extras: &Extras, base: u64, directory: u64) -> Self {
        let of_zip64 = |number: fn(&Zip64) -> Option<u64>| extras.zip64.as_ref().and_then(number);
        Claims {
            record,
            name_length: entry.name.bytes().len() as u16,
            start: wide(entry.header_offset, of_zip64(|zip64| zip64.header_offset)).saturating_add(base),
            flags: entry.flags,
            method: entry.method,
            crc: entry.crc32,
            packed: wide(entry.compressed_size, of_zip64(|zip64| zip64.compressed_size)),
            length: wide(entry.uncompressed_size, of_zip64(|zip64| zip64.uncompressed_size)),
            next: directory,
            is_repeated: false,
        }
    }

    /// The claims of an entry that was found without a directory, whose data begin at `start` and end before `next`.
    pub fn found(header: &LocalHeader, start: u64, next: u64, sums: Sums) -> Self {
        Claims {
            record: next,
            name_length: header.name.bytes().len() as u16,
            start,
            flags: header.flags,
            method: header.method,
            crc: sums.crc,
            packed: sums.packed,
            length: sums.length,
            next,
            is_repeated: false,
        }
    }

    /// Returns whether the bytes are stored as they are.
    pub fn is_stored(&self) -> bool {
        self.method == Method::STORED
    }

    /// The bytes of a field of the record, before the name.
    pub fn field(&self, name: &str) -> Range<u64> {
        field_at::<DirectoryEntry>(self.record, name)
    }

    /// The bytes of the name in the record.
    pub fn name(&self) -> Range<u64> {
        let start = self.record + DirectoryEntry::MIN_SIZE;
        start..start + u64::from(self.name_length)
    }

    /// The bytes of the name.
    pub fn name_length(&self) -> u64 {
        self.name_length.into()
    }

    /// The finding about an entry that ends after the beginning of the next one.
    pub fn overlap(&self, end: u64) -> Finding {
        let shared = bytes(end - self.next);
        let message = format!("{shared} belong to two entries, or to an entry and the directory");
        Finding::new(&rules::OVERLAP, "", self.next..end, message)
    }

    /// The finding about an entry whose name an earlier one has, too.
    pub fn repeated(&self) -> Finding {
        let message = "the archive has several entries of this name; this is the last one";
        Finding::new(&rules::DUPLICATE_NAME, "name", self.name(), message)
    }

    /// The reason why the entry cannot be unpacked without a key or another decompressor, if there is one.
    pub fn closed(&self) -> Option<Finding> {
        let Claims { flags, method, .. } = *self;
        if flags.encrypted() || flags.strong_encryption() || method == Method::AES {
            let finding = Finding::new(&rules::ENCRYPTED, "flags", self.field("flags"), "the entry is encrypted");
            return Some(finding.found(format!("{:#06x}", flags.raw())));
        }
        if !matches!(method, Method::STORED | Method::DEFLATED) {
            let message = "the entry is compressed with a method that ndbytes does not support";
            let mut finding = Finding::new(&rules::METHOD, "method", self.field("method"), message);
            if method == Method::DEFLATE64 {
                finding = finding.with_reference(Reference::Accepts);
            }
            let named = method.name().map_or_else(String::new, |name| format!(" ({name})"));
            return Some(finding.expected("0 (stored) or 8 (deflated)").found(format!("{}{named}", method.0)));
        }
        None
    }
}
