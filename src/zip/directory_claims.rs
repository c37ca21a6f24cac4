//! The claims of the directory about an entry.
//!
//! They are numbers instead of borrowed bytes, and are read only once. Every later step uses these copies. If another process
//! changes the file in the meantime, a check may fail, but a check cannot pass with numbers other than those that are used.

use super::extras::{Extras, wide};
use super::rules;
use crate::findings::finding::Finding;
use crate::findings::place::field_at;
use crate::findings::rule::{Reactions, Reference};
use crate::findings::words::bytes;
use everybyte::Layout;
use ndbytes_schemas::zip::LocalHeader;
use ndbytes_schemas::zip::{DirectoryEntry, Flags, Method, Zip64};
use std::ops::Range;

/// The claims of the directory about an entry, and the findings about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DirectoryClaims {
    /// The offset of the entry's record in the directory.
    pub record: u64,
    name_length: u16,
    /// The offset of the entry.
    pub start: u64,
    pub flags: Flags,
    pub method: Method,
    pub crc: u32,
    /// The compressed size in bytes.
    pub packed: u64,
    /// The uncompressed size in bytes.
    pub length: u64,
    /// The offset of the next entry, or of the directory.
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

impl DirectoryClaims {
    /// Reads the claims of the record at an offset. The archive begins at `base`, and its directory begins at `directory`.
    pub fn new(record: u64, entry: &DirectoryEntry, extras: &Extras, base: u64, directory: u64) -> Self {
        let of_zip64 = |number: fn(&Zip64) -> Option<u64>| extras.zip64.as_ref().and_then(number);
        DirectoryClaims {
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

    /// The claims for an entry that was found without a directory, and that extends from `start` up to `next`.
    pub fn found(header: &LocalHeader, start: u64, next: u64, sums: Sums) -> Self {
        DirectoryClaims {
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

    /// Returns whether the bytes are stored uncompressed.
    pub fn is_stored(&self) -> bool {
        self.method == Method::STORED
    }

    /// The range of a field of the record that comes before the name.
    pub fn field(&self, name: &str) -> Range<u64> {
        field_at::<DirectoryEntry>(self.record, name)
    }

    /// The range of the name in the record.
    pub fn name(&self) -> Range<u64> {
        let start = self.record + DirectoryEntry::MIN_SIZE;
        start..start + u64::from(self.name_length)
    }

    /// The length of the name in bytes.
    pub fn name_length(&self) -> u64 {
        self.name_length.into()
    }

    /// The finding for an entry that ends after the beginning of the next one.
    pub fn overlap(&self, end: u64) -> Finding {
        let shared = bytes(end - self.next);
        let message = format!("{shared} belong to two entries, or to an entry and the directory");
        Finding::new(&rules::OVERLAP, "", self.next..end, message)
    }

    /// The finding for an entry with the same name as an earlier one.
    pub fn repeated(&self) -> Finding {
        let message = "the archive has several entries of this name; this is the last one";
        Finding::new(&rules::DUPLICATE_NAME, "name", self.name(), message)
    }

    /// Returns why the entry cannot be unpacked without a key or another decompressor; `None` if it can.
    pub fn closed(&self) -> Option<Finding> {
        let DirectoryClaims { flags, method, .. } = *self;
        if flags.encrypted() || flags.strong_encryption() || method == Method::AES {
            let finding = Finding::new(&rules::ENCRYPTED, "flags", self.field("flags"), "the entry is encrypted");
            return Some(finding.found(format!("{:#06x}", flags.raw())));
        }
        if flags.patch() {
            let message = "the entry is compressed as a patch of another file";
            let finding = Finding::new(&rules::METHOD, "flags", self.field("flags"), message);
            let reactions = Reactions { numpy: Reference::Refuses, ..Reactions::all(Reference::Accepts) };
            return Some(finding.found(format!("{:#06x}", flags.raw())).with_reactions(reactions));
        }
        if !matches!(method, Method::STORED | Method::DEFLATED) {
            let message = "the entry is compressed with a method that ndbytes does not support";
            let mut finding = Finding::new(&rules::METHOD, "method", self.field("method"), message);
            let reactions = finding.reactions.unwrap_or(Reactions::all(finding.reference));
            if method == Method::DEFLATE64 {
                finding = finding.with_reactions(Reactions { dotnet: Reference::Accepts, ..reactions });
            } else if matches!(method, Method::BZIP2 | Method::LZMA) {
                // `zipfile` unpacks such entries, but this crate cannot examine their content.
                finding = finding.with_reactions(Reactions { numpy: Reference::Unforeseen, ..reactions });
            }
            let named = method.name().map_or_else(String::new, |name| format!(" ({name})"));
            let help =
                "unpack the archive with `7z x` or `python -m zipfile -e`, and pack it again, stored or deflated";
            return Some(
                finding.help(help).expected("0 (stored) or 8 (deflated)").found(format!("{}{named}", method.0)),
            );
        }
        None
    }
}
