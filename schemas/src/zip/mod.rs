//! zip archives: entries one after another, each after its own header, followed by a directory of the entries.
//!
//! Source of the rules: PKWARE's [APPNOTE.TXT](https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT). If a number does not
//! fit its field, all bits of the field are set. The number is then in the ZIP64 extra field, or in the ZIP64 end record.

mod values;

use everybyte::bits::*;
use everybyte::{bytes::Bytes, layout};
pub use values::{DosDate, DosTime, ExtraId, Method, System, Text};

/// The signature of a data descriptor.
pub const DESCRIPTOR_MAGIC: [u8; 4] = *b"PK\x07\x08";

/// The header before the data of an entry.
#[layout]
#[brw(little, magic = b"PK\x03\x04")]
pub struct LocalHeader {
    /// The minimum version of the specification that a reader must support: 20 is 2.0.
    #[layout(steady)]
    pub version_needed: u16,
    /// How the entry is stored.
    pub flags: Flags,
    /// The compression method of the data.
    pub method: Method,
    /// The modification time of the file.
    #[layout(writer)]
    pub time: DosTime,
    /// The modification date of the file.
    #[layout(writer)]
    pub date: DosDate,
    /// CRC-32 of the uncompressed bytes; 0 if it is in a data descriptor.
    #[layout(check_of = "outer::data!")]
    pub crc32: u32,
    /// Bytes of the data; 0 if the number is in a data descriptor.
    #[layout(extent = outer::data)]
    pub compressed_size: u32,
    /// Uncompressed bytes; 0 if the number is in a data descriptor.
    #[layout(extent = "outer::data!")]
    pub uncompressed_size: u32,
    /// Bytes of the name.
    #[layout(extent = name)]
    #[br(temp)]
    name_length: u16,
    /// Bytes of the extra fields.
    #[layout(extent = extra)]
    #[br(temp)]
    extra_length: u16,
    /// The name of the entry.
    #[layout(key)]
    #[br(args { length: name_length.into() })]
    pub name: Text,
    /// The extra fields, one after another.
    #[br(args { length: extra_length.into() })]
    pub extra: Bytes,
}

/// The checksum and sizes after the data of an entry, for writers that did not know them before.
#[layout]
#[brw(little)]
#[br(import { is_signed: bool, is_large: bool })]
pub struct DataDescriptor {
    /// `PK\x07\x08`; some writers leave it out.
    #[br(if(is_signed))]
    pub signature: Option<[u8; 4]>,
    /// CRC-32 of the uncompressed bytes.
    #[layout(check_of = "outer::data!")]
    pub crc32: u32,
    /// The sizes of the entry.
    #[br(args { is_large })]
    pub sizes: DescriptorSizes,
}

/// The sizes in a data descriptor.
#[layout]
#[brw(little)]
#[br(import { is_large: bool })]
pub enum DescriptorSizes {
    /// The form for an entry without a ZIP64 extra field.
    #[br(pre_assert(!is_large))]
    Small {
        /// Bytes of the data.
        #[layout(extent = outer::data)]
        compressed_size: u32,
        /// Unpacked bytes.
        #[layout(extent = "outer::data!")]
        uncompressed_size: u32,
    },
    /// The form for an entry with a ZIP64 extra field.
    #[br(pre_assert(is_large))]
    Large {
        /// Bytes of the data.
        #[layout(extent = outer::data)]
        compressed_size: u64,
        /// Unpacked bytes.
        #[layout(extent = "outer::data!")]
        uncompressed_size: u64,
    },
}

/// The record of an entry in the directory.
#[layout]
#[brw(little, magic = b"PK\x01\x02")]
pub struct DirectoryEntry {
    /// The version of the specification that the writer follows: 20 is 2.0.
    #[layout(steady)]
    pub made_by_version: u8,
    /// The system that defines the attributes.
    pub made_by_system: System,
    /// The minimum version of the specification that a reader must support: 20 is 2.0.
    #[layout(steady)]
    pub version_needed: u16,
    /// How the entry is stored.
    pub flags: Flags,
    /// The compression method of the data.
    pub method: Method,
    /// The modification time of the file.
    #[layout(writer)]
    pub time: DosTime,
    /// The modification date of the file.
    #[layout(writer)]
    pub date: DosDate,
    /// CRC-32 of the uncompressed bytes.
    #[layout(check_of = "outer::members.data!")]
    pub crc32: u32,
    /// Bytes of the data; 0xFFFFFFFF if the number is in the ZIP64 extra field.
    #[layout(extent = outer::members.data)]
    pub compressed_size: u32,
    /// Uncompressed bytes; 0xFFFFFFFF if the number is in the ZIP64 extra field.
    #[layout(extent = "outer::members.data!")]
    pub uncompressed_size: u32,
    /// Bytes of the name.
    #[layout(extent = name)]
    #[br(temp)]
    name_length: u16,
    /// Bytes of the extra fields.
    #[layout(extent = extra)]
    #[br(temp)]
    extra_length: u16,
    /// Bytes of the comment.
    #[layout(extent = comment)]
    #[br(temp)]
    comment_length: u16,
    /// Number of the disk on which the entry begins; 0xFFFF if the number is in the ZIP64 extra field.
    #[layout(fact)]
    pub disk: u16,
    /// Bit 0 is set if the writer considers the content to be text.
    #[layout(fact)]
    pub internal_attributes: u16,
    /// Attributes of the file on the writer's system.
    #[layout(fact)]
    pub external_attributes: u32,
    /// Offset of the entry's own header; 0xFFFFFFFF if it is in the ZIP64 extra field.
    #[layout(place = outer::members)]
    pub header_offset: u32,
    /// The name of the entry.
    #[layout(key)]
    #[br(args { length: name_length.into() })]
    pub name: Text,
    /// The extra fields, one after another.
    #[br(args { length: extra_length.into() })]
    pub extra: Bytes,
    /// A comment on the entry.
    #[br(args { length: comment_length.into() })]
    pub comment: Text,
}

/// A digital signature of the directory, after its last entry.
#[layout]
#[brw(little, magic = b"PK\x05\x05")]
pub struct DirectorySignature {
    /// Bytes of the signature.
    #[layout(extent = data)]
    #[br(temp)]
    length: u16,
    /// The signature.
    #[br(args { length: length.into() })]
    pub data: Bytes,
}

/// One extra field of an entry.
#[layout]
#[brw(little)]
pub struct ExtraField {
    /// The content of the field.
    pub id: ExtraId,
    /// Bytes of the content.
    #[layout(extent = data)]
    #[br(temp)]
    length: u16,
    /// The content.
    #[br(args { length: length.into() })]
    pub data: Bytes,
}

/// The content of the ZIP64 extra field: the numbers that their own fields cannot hold.
#[layout]
#[brw(little)]
#[br(import { uncompressed: bool, compressed: bool, offset: bool, on_disk: bool })]
pub struct Zip64 {
    /// Unpacked bytes.
    #[layout(extent = "outer::members.data!")]
    #[br(if(uncompressed))]
    pub uncompressed_size: Option<u64>,
    /// Bytes of the data.
    #[layout(extent = outer::members.data)]
    #[br(if(compressed))]
    pub compressed_size: Option<u64>,
    /// Offset of the entry's own header.
    #[layout(place = outer::members)]
    #[br(if(offset))]
    pub header_offset: Option<u64>,
    /// Number of the disk on which the entry begins.
    #[layout(fact)]
    #[br(if(on_disk))]
    pub disk: Option<u32>,
}

/// The end record of a large archive.
#[layout]
#[brw(little, magic = b"PK\x06\x06")]
pub struct Zip64EndRecord {
    /// Bytes that follow; at least 44.
    #[layout(extent = "made_by_version..extensible")]
    #[br(assert(size >= 44, "the record is shorter than its fields"))]
    pub size: u64,
    /// The version of the specification that the writer follows: 45 is 4.5.
    #[layout(steady)]
    pub made_by_version: u8,
    /// The system that defines the attributes.
    pub made_by_system: System,
    /// The minimum version of the specification that a reader must support: 45 is 4.5.
    #[layout(steady)]
    pub version_needed: u16,
    /// Number of this disk.
    #[layout(fact)]
    pub disk: u32,
    /// Number of the disk on which the directory begins.
    #[layout(fact)]
    pub directory_disk: u32,
    /// Entries of the directory on this disk.
    #[layout(counts = outer::directory)]
    pub disk_entries: u64,
    /// Entries of the directory.
    #[layout(counts = outer::directory)]
    pub entries: u64,
    /// Bytes of the directory.
    #[layout(extent = "outer::directory..outer::directory_signature")]
    pub directory_size: u64,
    /// Offset of the directory.
    #[layout(place = outer::directory)]
    pub directory_offset: u64,
    /// Reserved for PKWARE.
    #[br(args { length: size - 44 })]
    pub extensible: Bytes,
}

/// The position of the ZIP64 end record.
#[layout]
#[brw(little, magic = b"PK\x06\x07")]
pub struct Zip64Locator {
    /// Number of the disk with the ZIP64 end record.
    #[layout(fact)]
    pub disk: u32,
    /// Offset of the ZIP64 end record.
    #[layout(place = outer::zip64_end)]
    pub end_offset: u64,
    /// Number of disks.
    #[layout(fact)]
    pub disks: u32,
}

/// The last record of an archive.
#[layout]
#[brw(little, magic = b"PK\x05\x06")]
pub struct EndRecord {
    /// Number of this disk.
    #[layout(fact)]
    pub disk: u16,
    /// Number of the disk on which the directory begins.
    #[layout(fact)]
    pub directory_disk: u16,
    /// Entries of the directory on this disk; 0xFFFF if the number is in the ZIP64 end record.
    #[layout(counts = outer::directory)]
    pub disk_entries: u16,
    /// Entries of the directory; 0xFFFF if the number is in the ZIP64 end record.
    #[layout(counts = outer::directory)]
    pub entries: u16,
    /// Bytes of the directory; 0xFFFFFFFF if the number is in the ZIP64 end record.
    #[layout(extent = "outer::directory..outer::directory_signature")]
    pub directory_size: u32,
    /// Offset of the directory; 0xFFFFFFFF if it is in the ZIP64 end record.
    #[layout(place = outer::directory)]
    pub directory_offset: u32,
    /// Bytes of the comment.
    #[layout(extent = comment)]
    #[br(temp)]
    comment_length: u16,
    /// A comment on the archive.
    #[br(args { length: comment_length.into() })]
    pub comment: Text,
}

/// How an entry is stored.
#[layout(bits = 16)]
pub struct Flags {
    /// The data is encrypted.
    pub encrypted: bool,
    /// The compression setting; for deflate, 0 normal, 1 best, 2 fast, 3 fastest.
    pub level: B2,
    /// The checksum and sizes are in a data descriptor after the data.
    pub data_descriptor: bool,
    /// Reserved for deflate64.
    pub enhanced_deflate: bool,
    /// The data is a patch for another file.
    pub patch: bool,
    /// The encryption is PKWARE's strong encryption.
    pub strong_encryption: bool,
    /// Not used.
    pub unused: B4,
    /// The name and comment are UTF-8.
    pub utf8: bool,
    /// Reserved for PKWARE.
    pub enhanced_compression: bool,
    /// The directory is encrypted, and the entry's own header hides values.
    pub masked: bool,
    /// Reserved for PKWARE.
    pub reserved: B2,
}
