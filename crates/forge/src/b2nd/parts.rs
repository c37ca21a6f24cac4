//! Small parts of frames: headers, metalayers of arrays, and chunks without blocks.

use everybyte::bytes::Zeros;
use everybyte::{BinWrite, Endian, Layout, bytes::Bytes, trace::length_of, write};
use ndbytes_schemas::b2nd::{ArrayLayer, DtypeText, InnerShape, Parts, Shape, Str32};
use ndbytes_schemas::blosc2::{
    AxesHead, BlockFlags, Bool, ChunkFlags, ChunkHeader, ChunkKind, ChunkVersion, Codec, Compression, Content,
    Directory, Entry, Extension, FILTER_SLOTS, FilterId, FilterIds, FixExt16, FrameFlags, FrameType, Header, Int16,
    Int32, Int64, Magic, Marker, Metalayers, Name, Special, Splitting, Uint16, Uint64, WriterFlags,
};
use std::iter;

/// A metalayer in parts.
#[derive(Debug, Clone)]
pub struct Layer {
    pub name: Name,
    pub content: Vec<u8>,
    /// The difference between its offset and the number of bytes before it.
    pub offset_lie: i32,
}

/// The origin of offsets in the metalayers of a trailer and of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Around {
    Header,
    Trailer,
}

impl Layer {
    /// Creates a metalayer with this name; if it is too long, only its first bytes are used.
    pub fn new(name: &[u8], content: Vec<u8>) -> Self {
        let name = Name::new(&name[..name.len().min(ndbytes_schemas::blosc2::LONGEST_NAME)]);
        Layer { name: name.unwrap_or_default(), content, offset_lie: 0 }
    }
}

/// Writes the bytes of a structure, without unwritable fields. Regions that it only declares are zeros.
pub fn written<T: Layout + for<'a> BinWrite<Args<'a> = ()>>(value: &T, endian: Endian) -> Vec<u8> {
    let mut bytes = write(value, endian).unwrap_or_default();
    let declared = (length_of(value, endian) as usize).saturating_sub(bytes.len());
    bytes.extend(iter::repeat_n(0, declared));
    bytes
}

/// Creates the header of a frame whose items have this length in bytes. Lengths are set when the frame is built.
pub fn header(typesize: i32) -> Header {
    Header {
        head: Marker,
        magic: Magic,
        header_length: Int32(0),
        frame_length: Uint64(0),
        flags_head: Marker,
        flags: FrameFlags::from_raw(0x12),
        frame_type: FrameType::from_raw(0),
        compression: Compression::from_raw(0x51),
        splitting: Splitting::from_raw(3),
        nbytes: Int64(0),
        cbytes: Int64(0),
        typesize: Int32(typesize),
        blocksize: Int32(0),
        chunksize: Int32(0),
        compress_threads: Int16(1),
        decompress_threads: Int16(1),
        has_attributes: Bool::from(false),
        filter_slots: FixExt16(6),
        filters: last_filter(FilterId::SHUFFLE),
        user_codec: Codec::LZ4,
        codec_meta: 0,
        filter_meta: [0; 6],
        writer_flags: WriterFlags::from_raw(0),
        reserved: Zeros::default(),
        metalayers: metalayers(&[], Around::Header, 0),
    }
}

/// Creates the metalayer that makes a frame an array.
pub fn array_layer(axes: &[[i64; 3]], dtype: Option<&[u8]>) -> ArrayLayer {
    let head = AxesHead::new(axes.len() as u8);
    let inner =
        |which: usize| InnerShape { head, extents: axes.iter().map(|axis| Int32(axis[which] as i32)).collect() };
    ArrayLayer {
        parts: if dtype.is_some() { Parts::WITH_DTYPE } else { Parts::WITHOUT_DTYPE },
        version: 0,
        ndim: axes.len() as u8,
        shape: Shape { head, extents: axes.iter().map(|axis| Int64(axis[0])).collect() },
        chunk_shape: inner(1),
        block_shape: inner(2),
        dtype: dtype.map(|text| DtypeText { format: 0, text: Str32 { head: Marker, bytes: text.into() } }),
    }
}

/// Returns the lengths of array, chunk and block along each axis.
pub fn axes(layer: &ArrayLayer) -> Vec<[i64; 3]> {
    let inner = layer.chunk_shape.extents.iter().zip(&layer.block_shape.extents);
    let axes = layer.shape.extents.iter().zip(inner);
    axes.map(|(extent, (chunk, block))| [extent.0, chunk.0.into(), block.0.into()]).collect()
}

/// Returns the number of chunks, and of items in each, if these do not overflow.
pub fn counts(axes: &[[i64; 3]]) -> Option<(u64, u64)> {
    let (mut chunks, mut items) = (1_u64, 1_u64);
    for &[extent, chunk, block] in axes {
        let (extent, chunk, block) =
            (u64::try_from(extent).ok()?, u64::try_from(chunk).ok()?, u64::try_from(block).ok()?);
        chunks = chunks.checked_mul(if chunk == 0 { 0 } else { extent.div_ceil(chunk) })?;
        items = items.checked_mul(if block == 0 { 0 } else { chunk.div_ceil(block).checked_mul(block)? })?;
    }
    Some((chunks, items))
}

/// Puts a filter in the last slot.
pub fn last_filter(filter: FilterId) -> FilterIds {
    let mut ids = FilterIds::default();
    ids.0[FILTER_SLOTS - 1] = filter;
    ids
}

/// Creates a 32-byte chunk header; the caller must set the lengths.
pub fn chunk_header(typesize: u8) -> ChunkHeader {
    let extension = Extension {
        filters: FilterIds::default(),
        codec: Codec::BLOSCLZ,
        codec_meta: 0,
        filter_meta: [0; 6],
        block_flags: BlockFlags::from_raw(0),
        chunk_kind: ChunkKind::from_raw(0),
    };
    ChunkHeader {
        version: ChunkVersion::BLOSC2,
        codec_version: 1,
        flags: ChunkFlags::from_raw(0b1_0101),
        typesize,
        nbytes: 0,
        blocksize: 1,
        cbytes: 32,
        extension: Some(extension),
    }
}

/// Creates an uncompressed chunk.
pub fn stored_chunk(typesize: u8, block: usize, content: &[u8]) -> Vec<u8> {
    let (nbytes, cbytes) = (content.len() as i32, content.len() as i32 + 32);
    let flags = ChunkFlags::from_raw(0b1_0111);
    let header = ChunkHeader { flags, nbytes, blocksize: block as i32, cbytes, ..chunk_header(typesize) };
    [&written(&header, Endian::Little), content].concat()
}

/// Creates a chunk of identical items, given by their kind and, if there is one, their value.
pub fn special_chunk(typesize: u8, nbytes: i32, blocksize: i32, kind: Special, value: &[u8]) -> Vec<u8> {
    let mut header = ChunkHeader { nbytes, blocksize, cbytes: 32 + value.len() as i32, ..chunk_header(typesize) };
    if let Some(extension) = &mut header.extension {
        extension.chunk_kind = extension.chunk_kind.with_special(kind);
    }
    [&written(&header, Endian::Little), value].concat()
}

/// Creates metalayers with their offsets in a header or a trailer.
pub fn metalayers(layers: &[Layer], around: Around, lie: i32) -> Metalayers {
    let names: usize = layers.iter().map(|layer| 6 + layer.name.bytes().len()).sum();
    let before = if around == Around::Header { 87 } else { 2 };
    // Three heads, each with a number: three bytes.
    let mut offset = before + 1 + 3 + 3 + names + 3;
    let entries = layers.iter().map(|layer| {
        let here = offset as i32;
        offset += 5 + layer.content.len();
        Entry { name: layer.name.clone(), offset: Int32(here.wrapping_add(layer.offset_lie)) }
    });
    let entries = entries.collect();
    let length = (6 + names + usize::from(around == Around::Header)) as i32;
    let directory = Directory { length: Uint16(length.wrapping_add(lie) as u16), entries };
    let content = |layer: &Layer| Content { head: Marker, bytes: Bytes::new(layer.content.len() as u64) };
    Metalayers { head: Marker, directory, contents: layers.iter().map(content).collect() }
}
