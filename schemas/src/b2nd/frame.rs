//! The frame: what stands before and behind the chunks.

use super::chunk::Codec;
use super::msgpack::{Array16, Bool, FixExt16, Int16, Int32, Int64, Map16, Marker, Name, Uint16, Uint32, Uint64};
use crate::{Bytes, Layout, Problem, Value, Zeros, layout};
use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian};
use modular_bitfield::prelude::*;
use std::borrow::Cow;

/// What stands at the beginning of a frame, under its two first bytes.
pub const MAGIC: [u8; 8] = *b"b2frame\0";

/// Where [`MAGIC`] stands.
pub const MAGIC_OFFSET: usize = 2;

/// What stands at the beginning.
#[layout]
#[brw(big)]
pub struct Header {
    /// Head of the header's 14 parts.
    pub head: Marker<0x9e>,
    /// What kind of file this is.
    pub magic: Magic,
    /// Bytes of the header, from its first to the end of the last metalayer.
    pub header_length: Int32,
    /// Bytes of the frame, from here to the end of the trailer.
    pub frame_length: Uint64,
    /// Head of the four bytes of flags.
    pub flags_head: Marker<0xa4>,
    /// The version, and what kind of chunks there are.
    pub flags: FrameFlags,
    /// Where the chunks are.
    pub frame_type: FrameType,
    /// How the writer compresses.
    pub compression: Compression,
    /// How the writer splits blocks.
    pub splitting: Splitting,
    /// Bytes of all chunks once they are decoded, padding included.
    pub nbytes: Int64,
    /// Bytes of all chunks as they are stored.
    pub cbytes: Int64,
    /// Bytes of one item.
    pub typesize: Int32,
    /// Bytes of one block once it is decoded.
    pub blocksize: Int32,
    /// Bytes of one chunk once it is decoded; 0 if they differ.
    pub chunksize: Int32,
    /// Threads that the writer compressed with.
    pub compress_threads: Int16,
    /// Threads that the writer decompressed with.
    pub decompress_threads: Int16,
    /// Whether the trailer has metalayers.
    pub has_attributes: Bool,
    /// How many filters can be applied in a row.
    pub filter_slots: FixExt16,
    /// The filters that the writer applies, in this order.
    pub filters: FilterIds,
    /// The codec once more, where it is one that has to be registered.
    pub user_codec: Codec,
    /// What the codec was told.
    pub codec_meta: u8,
    /// What each filter was told.
    pub filter_meta: [u8; 6],
    /// What else the writer does.
    pub writer_flags: WriterFlags,
    /// Unused.
    pub reserved: Zeros<1>,
    /// What is said about the chunks, under names.
    pub metalayers: Metalayers,
}

/// `a8` and [`MAGIC`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Magic;

/// What the bytes of [`Magic`] are: a msgpack string.
const MAGIC_TOKEN: [u8; 9] = *b"\xa8b2frame\0";

impl BinRead for Magic {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<Self> {
        let pos = reader.stream_position()?;
        let found = <[u8; 9]>::read_options(reader, endian, ())?;
        if found == MAGIC_TOKEN {
            return Ok(Magic);
        }
        let err = Box::new(Problem::WrongMagic { expected: MAGIC_TOKEN.to_vec(), found: found.to_vec() });
        Err(binrw::Error::Custom { pos, err })
    }
}

impl BinWrite for Magic {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        Ok(writer.write_all(&MAGIC_TOKEN)?)
    }
}

impl Layout for Magic {
    const MIN_SIZE: u64 = MAGIC_TOKEN.len() as u64;
    const SIZE: Option<u64> = Some(Self::MIN_SIZE);

    fn type_name() -> String {
        "msgpack string of 8".into()
    }

    fn value(&self) -> Value {
        Value::Text("b2frame\0".into())
    }
}

/// The version of a frame, and what kind of chunks it has.
#[layout(bits = 8)]
pub struct FrameFlags {
    /// Version of the format: 2, or 3 if chunks or blocks differ in length; 1 was a beta.
    pub version: B4,
    /// Width of the offsets in the index: 1 is 64 bits.
    pub offset_width: B2,
    /// Chunks differ in length.
    pub variable_chunks: bool,
    /// Blocks differ in length.
    pub variable_blocks: bool,
}

/// Where the chunks are.
#[layout(bits = 8)]
pub struct FrameType {
    /// 0: in this file, contiguous; 1: in files beside it, sparse.
    pub sparse: B4,
    /// Unused.
    pub reserved: B4,
}

/// How the writer compresses; each chunk says for itself.
#[layout(bits = 8)]
pub struct Compression {
    /// The codec: 0 blosclz, 1 LZ4, 2 LZ4HC, 4 zlib, 5 zstd; 6: `user_codec` says.
    pub codec: B4,
    /// The level, from 0, not at all, to 9.
    pub level: B4,
}

/// How the writer splits blocks into streams; each chunk says for itself.
#[layout(bits = 8)]
pub struct Splitting {
    /// 0 always, 1 never, 2 automatically, 3 as older readers can read it.
    pub mode: B2,
    /// Unused.
    pub reserved: B6,
}

/// What else the writer does.
#[layout(bits = 8)]
pub struct WriterFlags {
    /// It makes dictionaries.
    pub dictionaries: bool,
    /// Unused.
    pub reserved: B7,
}

/// Metalayers: contents under names, one behind the other.
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

/// The names of metalayers, and where their contents stand.
#[layout]
#[brw(big)]
pub struct Directory {
    /// Bytes up to the end of the names: from `head` on in a header, from here on in a trailer.
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
    pub name: Name,
    /// Where its content stands, `c6` included: from the first byte of the header or of the trailer.
    pub offset: Int32,
}

/// The content of a metalayer: `c6` (bytes, with a length of 32 bits), then the bytes.
#[layout]
#[brw(big)]
pub struct Content {
    /// `c6`.
    pub head: Marker<0xc6>,
    /// Number of bytes.
    #[br(temp)]
    #[bw(try_calc = i32::try_from(bytes.length))]
    length: i32,
    /// The bytes.
    #[br(args { length: u64::try_from(length).unwrap_or(u64::MAX) })]
    pub bytes: Bytes,
}

/// What stands at the end.
#[layout]
#[brw(big)]
pub struct Trailer {
    /// Head of four parts.
    pub head: Marker<0x94>,
    /// Version of the trailer; 0 was a beta.
    pub version: u8,
    /// What can change after the header was written. Each content is a chunk.
    pub attributes: Metalayers,
    /// The last bytes.
    pub tail: TrailerTail,
}

/// The last bytes of a trailer.
#[layout]
#[brw(big)]
pub struct TrailerTail {
    /// Bytes of the trailer.
    pub trailer_length: Uint32,
    /// Kind of the fingerprint; 0 is none, the only one that is defined.
    pub fingerprint_type: FixExt16,
    /// What would prove that the frame is whole.
    pub fingerprint: Zeros<16>,
}

/// The filters of a pipeline, in the order in which a writer applies them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, BinRead, BinWrite)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct FilterIds(pub [u8; 6]);

/// What a filter is called; none if nobody has defined its number.
pub fn filter_name(id: u8) -> Option<&'static str> {
    Some(match id {
        0 => "none",
        1 => "shuffle",
        2 => "bitshuffle",
        3 => "delta",
        4 => "trunc_prec",
        32 => "ndcell",
        33 => "ndmean",
        34 => "bytedelta (defective)",
        35 => "bytedelta",
        36 => "int_trunc",
        _ => return None,
    })
}

impl Layout for FilterIds {
    const MIN_SIZE: u64 = 6;
    const SIZE: Option<u64> = Some(6);

    fn type_name() -> String {
        "FilterIds".into()
    }

    fn value(&self) -> Value {
        Value::bytes(&self.0)
    }

    fn meaning(&self) -> Cow<'static, str> {
        let names = self.0.iter().filter(|&&id| id != 0).map(|&id| filter_name(id).unwrap_or("undefined"));
        let names: Vec<&str> = names.collect();
        if names.is_empty() { "no filter".into() } else { names.join(", then ").into() }
    }
}
