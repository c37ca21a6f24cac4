//! The frame: the header before the chunks, and the trailer after the index.
//!
//! Both are msgpack arrays, but every part has a fixed width, so a writer can update a length in place. The types of
//! [`msgpack`](super::msgpack) refuse any other width.
//!
//! [`Metalayers`] are the same in both: a directory of names with offsets, followed by the contents. Only the origin of the offsets
//! differs. Metalayers in the header cannot change once chunks follow it. Metalayers in the trailer, called attributes, can change,
//! because the trailer is rewritten.

use super::ids::{Codec, FILTER_SLOTS, FilterIds, FrameKind, FrameVersion, OffsetWidth, SplitMode};
use super::msgpack::{Array16, Bool, FixExt16, Int16, Int32, Int64, Map16, Marker, Name, Uint16, Uint32, Uint64};
use everybyte::bits::*;
use everybyte::{
    Layout,
    bytes::{Bytes, Zeros},
    layout,
    map::Value,
};

/// The beginning of a frame.
#[layout]
#[brw(big)]
pub struct Header {
    /// The head of the header's 14 parts.
    pub head: Marker<0x9e>,
    /// Identifies frames.
    pub magic: Magic,
    /// Bytes of the header, from its first byte to the end of the last metalayer.
    #[layout(extent = "head..metalayers")]
    pub header_length: Int32,
    /// Bytes of the frame, from here to the end of the trailer.
    #[layout(extent = "head..outer::trailer")]
    pub frame_length: Uint64,
    /// The head of the four bytes of flags.
    pub flags_head: Marker<0xa4>,
    /// The version, and the kind of chunks.
    pub flags: FrameFlags,
    /// Where the chunks are.
    pub frame_type: FrameType,
    /// The writer's compression settings.
    pub compression: Compression,
    /// How the writer splits blocks.
    pub splitting: Splitting,
    /// Bytes of all chunks after decoding, including padding.
    #[layout(extent = "outer::chunks!")]
    pub nbytes: Int64,
    /// Stored bytes of all chunks.
    #[layout(extent = outer::chunks)]
    pub cbytes: Int64,
    /// Bytes of one item.
    #[layout(fact)]
    pub typesize: Int32,
    /// Bytes of one block after decoding.
    #[layout(fact)]
    pub blocksize: Int32,
    /// Bytes of one chunk after decoding; 0 if chunks differ in length.
    #[layout(fact)]
    pub chunksize: Int32,
    /// The number of threads that the writer used for compression.
    #[layout(writer)]
    pub compress_threads: Int16,
    /// The number of threads that the writer used for decompression.
    #[layout(writer)]
    pub decompress_threads: Int16,
    /// True if the trailer has metalayers.
    pub has_attributes: Bool,
    /// The maximum number of filters in a row.
    #[layout(fact)]
    pub filter_slots: FixExt16,
    /// The filters that the writer applies, in order.
    pub filters: FilterIds,
    /// The codec again, if it is a registered one.
    pub user_codec: Codec,
    /// The parameter of the codec.
    #[layout(fact)]
    pub codec_meta: u8,
    /// The parameter of each filter.
    pub filter_meta: [u8; FILTER_SLOTS],
    /// Further settings of the writer.
    #[layout(writer)]
    pub writer_flags: WriterFlags,
    /// Unused.
    pub reserved: Zeros<1>,
    /// Named contents that describe the chunks.
    pub metalayers: Metalayers,
}

/// A msgpack string: `a8`, then 8 bytes of text that identify frames.
#[layout(name = "msgpack string of 8", value = Value::Text(String::from_utf8_lossy(&Self::TEXT).into_owned()))]
#[brw(magic = b"\xa8b2frame\0")]
#[derive(Copy, Eq, Hash, Default)]
pub struct Magic;

impl Magic {
    /// The text, as stored in the file.
    pub const TEXT: [u8; 8] = *Self::MAGIC.last_chunk().expect("a byte order mark precedes the text");

    /// The offset of the text in a frame.
    pub const TEXT_OFFSET: u64 = <Marker<0> as Layout>::MIN_SIZE + Self::MIN_SIZE - Self::TEXT.len() as u64;
}

/// The version of a frame, and the kind of its chunks.
#[layout(bits = 8)]
pub struct FrameFlags {
    /// The version of the format.
    pub version: FrameVersion,
    /// The width of the offsets in the index.
    pub offset_width: OffsetWidth,
    /// Chunks differ in length.
    pub variable_chunks: bool,
    /// Blocks differ in length.
    pub variable_blocks: bool,
}

/// Where the chunks are.
#[layout(bits = 8)]
pub struct FrameType {
    /// Whether chunks are in this file or in separate files.
    pub kind: FrameKind,
    /// Unused.
    pub reserved: B4,
}

/// The writer's compression settings. Each chunk states its own.
#[layout(bits = 8)]
pub struct Compression {
    /// The codec; if it is `registered`, `user_codec` tells which.
    pub codec: Codec,
    /// The compression level, from 0 (none) to 9.
    pub level: B4,
}

/// How the writer splits blocks into streams. Each chunk states its own.
#[layout(bits = 8)]
pub struct Splitting {
    /// Which blocks are split.
    pub mode: SplitMode,
    /// Unused.
    pub reserved: B6,
}

/// Further settings of the writer.
#[layout(bits = 8)]
pub struct WriterFlags {
    /// The writer uses dictionaries.
    pub dictionaries: bool,
    /// Unused.
    pub reserved: B7,
}

/// Metalayers: a sequence of named contents.
#[layout]
#[brw(big)]
pub struct Metalayers {
    /// The head of three parts.
    pub head: Marker<0x93>,
    /// The contents by name.
    pub directory: Directory,
    /// Number of contents.
    #[br(temp)]
    #[bw(try_calc = u16::try_from(contents.len()).map(Array16))]
    count: Array16,
    /// The contents, in the order of the names.
    #[br(count = count.0)]
    pub contents: Vec<Content>,
}

/// The names of metalayers, and the offsets of their contents.
#[layout]
#[brw(big)]
pub struct Directory {
    /// Bytes up to the end of the names, counted from `head` in a header, and from here in a trailer.
    #[layout(extent = "outer::head..outer::directory")]
    pub length: Uint16,
    /// Number of names.
    #[br(temp)]
    #[bw(try_calc = u16::try_from(entries.len()).map(Map16))]
    count: Map16,
    /// One entry per name.
    #[br(count = count.0)]
    pub entries: Vec<Entry>,
}

/// The name of a metalayer.
#[layout]
#[brw(big)]
pub struct Entry {
    /// The name, in UTF-8.
    #[layout(key)]
    pub name: Name,
    /// The offset of its content, which starts with `c6`, from the first byte of the header or trailer.
    #[layout(place = outer::contents, relative_to = Trailer)]
    pub offset: Int32,
}

/// The content of a metalayer: `c6` (bytes with a 32-bit length), then the bytes.
#[layout]
#[brw(big)]
pub struct Content {
    /// `c6`.
    pub head: Marker<0xc6>,
    /// Number of bytes.
    #[layout(extent = bytes)]
    #[br(temp)]
    #[bw(try_calc = i32::try_from(bytes.length))]
    length: i32,
    /// The bytes.
    #[br(args { length: u64::try_from(length).unwrap_or(u64::MAX) })]
    pub bytes: Bytes,
}

/// The end of a frame.
#[layout]
#[brw(big)]
pub struct Trailer {
    /// The head of four parts.
    pub head: Marker<0x94>,
    /// The version of the trailer; 0 was a beta.
    #[layout(steady)]
    pub version: u8,
    /// Named contents that may change after the header is written. Each is a chunk.
    pub attributes: Metalayers,
    /// The last bytes.
    pub tail: TrailerTail,
}

/// The last bytes of a trailer.
#[layout]
#[brw(big)]
pub struct TrailerTail {
    /// Bytes of the trailer.
    #[layout(extent = Trailer)]
    pub trailer_length: Uint32,
    /// The kind of the fingerprint; only 0 (none) is defined.
    #[layout(fact)]
    pub fingerprint_type: FixExt16,
    /// The fingerprint, which would prove that the frame is intact.
    #[layout(check_of = Trailer)]
    pub fingerprint: Zeros<16>,
}
