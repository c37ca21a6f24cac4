//! The frame: the header before the chunks, and the trailer after the index.

use super::ids::{Codec, FILTER_SLOTS, FilterIds, FrameKind, FrameVersion, OffsetWidth, SplitMode};
use super::msgpack::{Array16, Bool, FixExt16, Int16, Int32, Int64, Map16, Marker, Name, Uint16, Uint32, Uint64};
use everybyte::bits::*;
use everybyte::{Bytes, Layout, Value, Zeros, layout};

/// The beginning of a frame.
#[layout]
#[brw(big)]
pub struct Header {
    /// Head of the header's 14 parts.
    pub head: Marker<0x9e>,
    /// Identifies frames.
    pub magic: Magic,
    /// Bytes of the header, from its first to the end of the last metalayer.
    #[layout(extent = "head..metalayers")]
    pub header_length: Int32,
    /// Bytes of the frame, from here to the end of the trailer.
    #[layout(extent = "head..outer::trailer")]
    pub frame_length: Uint64,
    /// Head of the four bytes of flags.
    pub flags_head: Marker<0xa4>,
    /// The version, and the kind of chunks.
    pub flags: FrameFlags,
    /// The place of the chunks.
    pub frame_type: FrameType,
    /// The writer's compression.
    pub compression: Compression,
    /// The writer's way to split blocks.
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
    /// Bytes of one chunk after decoding; 0 if chunks differ.
    #[layout(fact)]
    pub chunksize: Int32,
    /// Threads that the writer compressed with.
    #[layout(writer)]
    pub compress_threads: Int16,
    /// Threads that the writer decompressed with.
    #[layout(writer)]
    pub decompress_threads: Int16,
    /// True if the trailer has metalayers.
    pub has_attributes: Bool,
    /// The number of filters that can be applied in a row.
    #[layout(fact)]
    pub filter_slots: FixExt16,
    /// The filters that the writer applies, in this order.
    pub filters: FilterIds,
    /// The codec again, if it is one that has to be registered.
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

/// A msgpack string: `a8`, and the text of 8 bytes that identifies frames.
#[layout(name = "msgpack string of 8", value = Value::Text(String::from_utf8_lossy(&Self::TEXT).into_owned()))]
#[brw(magic = b"\xa8b2frame\0")]
#[derive(Copy, Eq, Hash, Default)]
pub struct Magic;

impl Magic {
    /// The text, as it stands in the file.
    pub const TEXT: [u8; 8] = *Self::MAGIC.last_chunk().expect("a mark stands before the text");

    /// The offset of the text in a frame.
    pub const TEXT_OFFSET: u64 = <Marker<0> as Layout>::MIN_SIZE + Self::MIN_SIZE - Self::TEXT.len() as u64;
}

/// The version of a frame, and the kind of its chunks.
#[layout(bits = 8)]
pub struct FrameFlags {
    /// Version of the format.
    pub version: FrameVersion,
    /// Width of the offsets in the index.
    pub offset_width: OffsetWidth,
    /// Chunks differ in length.
    pub variable_chunks: bool,
    /// Blocks differ in length.
    pub variable_blocks: bool,
}

/// The place of the chunks.
#[layout(bits = 8)]
pub struct FrameType {
    /// In this file, or in files beside it.
    pub kind: FrameKind,
    /// Unused.
    pub reserved: B4,
}

/// The writer's compression. Each chunk states its own.
#[layout(bits = 8)]
pub struct Compression {
    /// The codec; if it is registered, `user_codec` says which.
    pub codec: Codec,
    /// The level, from 0, not at all, to 9.
    pub level: B4,
}

/// The writer's way to split blocks into streams. Each chunk states its own.
#[layout(bits = 8)]
pub struct Splitting {
    /// The blocks that are split.
    pub mode: SplitMode,
    /// Unused.
    pub reserved: B6,
}

/// Further settings of the writer.
#[layout(bits = 8)]
pub struct WriterFlags {
    /// It makes dictionaries.
    pub dictionaries: bool,
    /// Unused.
    pub reserved: B7,
}

/// Metalayers: named contents, one after the other.
#[layout]
#[brw(big)]
pub struct Metalayers {
    /// Head of three parts.
    pub head: Marker<0x93>,
    /// The contents by name.
    pub directory: Directory,
    /// Number of contents.
    #[br(temp)]
    #[bw(try_calc = u16::try_from(contents.len()).map(Array16))]
    count: Array16,
    /// The contents in the order of the names.
    #[br(count = count.0)]
    pub contents: Vec<Content>,
}

/// The names of metalayers, and the places of their contents.
#[layout]
#[brw(big)]
pub struct Directory {
    /// Bytes up to the end of the names: from `head` on in a header, from here on in a trailer.
    #[layout(extent = "outer::head..outer::directory")]
    pub length: Uint16,
    /// Number of names.
    #[br(temp)]
    #[bw(try_calc = u16::try_from(entries.len()).map(Map16))]
    count: Map16,
    /// One entry a name.
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
    /// Offset of its content, which starts with `c6`, from the first byte of the header or of the trailer.
    #[layout(place = outer::contents, relative_to = Trailer)]
    pub offset: Int32,
}

/// The content of a metalayer: `c6` (bytes, with a length of 32 bits), then the bytes.
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
    /// Head of four parts.
    pub head: Marker<0x94>,
    /// Version of the trailer; 0 was a beta.
    #[layout(steady)]
    pub version: u8,
    /// Named contents that can change after the header was written. Each is a chunk.
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
    /// Kind of the fingerprint; 0 is no fingerprint, the only defined kind.
    #[layout(fact)]
    pub fingerprint_type: FixExt16,
    /// The fingerprint, which would prove that the frame is whole.
    #[layout(check_of = Trailer)]
    pub fingerprint: Zeros<16>,
}
