//! gzip members, the container of compressed files (RFC 1952).

use everybyte::bits::*;
use everybyte::{bytes::Region, codes, layout, text::NulString};

/// A gzip member: a header, a deflate stream, a trailer.
#[layout]
#[brw(little)]
#[br(import { deflate_length: u64 })]
pub struct Member {
    /// The kind of stream that follows, and information about its origin.
    pub header: Header,
    /// The deflate stream (RFC 1951).
    #[layout(payload)]
    #[br(args { length: deflate_length })]
    pub deflate: Region,
    /// The checksum and the length of the inflated stream.
    pub trailer: Trailer,
}

/// The header of a member.
#[layout]
#[brw(little, magic = b"\x1f\x8b")]
pub struct Header {
    /// Compression method.
    #[layout(fact)]
    pub method: Method,
    /// The optional fields that are present.
    pub flags: Flags,
    /// The modification time of the file: seconds since 1970, 0 if unknown.
    #[layout(writer)]
    pub mtime: u32,
    /// The compression setting: 2 best, 4 fastest.
    #[layout(writer)]
    pub extra_flags: u8,
    /// The file system that it was created on; 3 is Unix, 255 unknown.
    #[layout(writer)]
    pub os: u8,
    /// Free fields.
    #[br(if(flags.extra()))]
    pub extra: Option<Extra>,
    /// The file's name before compression, in Latin-1.
    #[br(if(flags.name()))]
    pub name: Option<NulString>,
    /// A comment, in Latin-1.
    #[br(if(flags.comment()))]
    pub comment: Option<NulString>,
    /// The low 16 bits of the CRC-32 of the header up to here.
    #[layout(check_of = Header)]
    #[br(if(flags.header_crc()))]
    pub header_crc: Option<u16>,
}

impl Header {
    /// A deflate header without optional fields, time or operating system, so the same content always produces the same file.
    pub fn plain() -> Self {
        Header {
            method: Method::DEFLATE,
            flags: Flags::from_raw(0),
            mtime: 0,
            extra_flags: 0,
            os: 255,
            extra: None,
            name: None,
            comment: None,
            header_crc: None,
        }
    }
}

codes! {
    /// A compression method.
    pub struct Method(u8) {
        /// Deflate, the only defined one.
        DEFLATE = 8 => "deflate";
    }
}

/// The optional fields of a member.
#[layout(bits = 8)]
pub struct Flags {
    /// The writer considers the content to be text.
    pub text: bool,
    /// `header_crc` is present.
    pub header_crc: bool,
    /// `extra` is present.
    pub extra: bool,
    /// `name` is present.
    pub name: bool,
    /// `comment` is present.
    pub comment: bool,
    /// Must be zero, because the meaning would be unknown.
    pub reserved: B3,
}

/// Extra fields of a member.
#[layout]
#[brw(little)]
pub struct Extra {
    /// Bytes that follow.
    #[layout(extent = fields)]
    #[br(temp)]
    length: u16,
    /// Subfields, which the standard does not define.
    #[br(count = length)]
    pub fields: Vec<u8>,
}

/// The checksum and the length of an inflated member.
#[layout]
#[brw(little)]
pub struct Trailer {
    /// CRC-32 of the inflated bytes.
    #[layout(check_of = "outer::deflate!")]
    pub crc32: u32,
    /// Number of inflated bytes, modulo 2^32.
    #[layout(extent = "outer::deflate!")]
    pub inflated_length: u32,
}
