//! The words of b2nd and of Blosc2's chunks.

use super::words::Dictionary;
use everybyte::{
    Endian,
    bytes::{Region, Zeros},
};
use ndbytes_schemas::b2nd::{ArrayLayer, DtypeText, InnerShape, Parts, Shape, Str32};
use ndbytes_schemas::blosc2::{
    AxesHead, BlockFlags, BlockTable, ChunkBody, ChunkFlags, ChunkHeader, ChunkKind, ChunkVersion, Codec as Compressor,
    Extension, FILTER_SLOTS, FilterId, FilterIds, FixExt16, Header as FrameHeader, Index, IndexEntry, Int32, Int64,
    Magic, Marker, Name, Special, Stream, StreamFormat, Token, Trailer, TrailerTail, Uint32,
};

/// Names of metalayers.
const NAMES: [&str; 8] = ["b2nd", "caterva", "b2o", "LazyArray", "proxy-source", "vlarray", "batcharray", "listarray"];

/// Types of items.
const DTYPES: [&str; 14] =
    ["|u1", "|b1", "<i2", "<i4", "<i8", "<f2", "<f4", ">f4", "<f8", "<c16", "|S5", "<U3", "<M8[ns]", "[('a', '<i4')]"];

/// Returns the words of b2nd.
pub(super) fn b2nd() -> Dictionary {
    let big = Endian::Big;
    let mut dictionary = Dictionary::default();
    dictionary.written("magic", &Magic, big);
    for name in NAMES {
        dictionary.written(&format!("name_{name}"), &Name::new(name.as_bytes()).expect("the names are short"), big);
    }
    for (number, dtype) in DTYPES.iter().enumerate() {
        let text = Str32 { head: Marker, bytes: dtype.as_bytes().to_vec() };
        dictionary.written(&format!("dtype_{number}"), &DtypeText { format: 0, text }, big);
    }
    for axes in 0..3 {
        let head = AxesHead::new(axes);
        let inner = |extent| InnerShape { head, extents: vec![Int32(extent); axes.into()] };
        let shape = Shape { head, extents: vec![Int64(3); axes.into()] };
        let parts = Parts::WITHOUT_DTYPE;
        let (chunk_shape, block_shape) = (inner(2), inner(1));
        dictionary.written(
            &format!("array_{axes}"),
            &ArrayLayer { parts, version: 0, ndim: axes, shape, chunk_shape, block_shape, dtype: None },
            big,
        );
    }
    let tail = TrailerTail { trailer_length: Uint32(35), fingerprint_type: FixExt16(0), fingerprint: Zeros::default() };
    dictionary.written("trailer_tail", &tail, big);
    for (name, kind) in [("zeros", Special::ZEROS), ("nan", Special::NAN), ("uninitialised", Special::UNINITIALISED)] {
        dictionary.add(format!("entry_{name}"), IndexEntry::Special(kind).to_bytes().to_vec());
    }
    for number in [-1, 0, 1, 2, 3, 8, 255, 256, i32::MAX, i32::MIN] {
        dictionary.written(&format!("int32_{number}"), &Int32(number), big);
    }
    for number in [-1, 0, 1, 2, 3, 8, 1 << 32, i64::MAX, i64::MIN] {
        dictionary.written(&format!("int64_{number}"), &Int64(number), big);
    }
    dictionary.layout::<FrameHeader>(&[big]);
    dictionary.layout::<ArrayLayer>(&[big]);
    dictionary.layout::<Trailer>(&[big]);
    chunks(&mut dictionary);
    dictionary
}

/// Returns the words of Blosc2 chunks.
pub(super) fn blosc2() -> Dictionary {
    let mut dictionary = Dictionary::default();
    chunks(&mut dictionary);
    dictionary
}

/// Adds the constants in chunks of Blosc2.
fn chunks(dictionary: &mut Dictionary) {
    let little = Endian::Little;
    for format in StreamFormat::ALL.iter().map(|format| format.0) {
        for how in [0x05, 0x07, 0x15] {
            let filters = alone(FilterId::SHUFFLE);
            let extension = Extension {
                filters,
                codec: Compressor::ZSTD,
                codec_meta: 0,
                filter_meta: [0; 6],
                block_flags: BlockFlags::from_raw(0),
                chunk_kind: ChunkKind::from_raw(0),
            };
            let header = ChunkHeader {
                version: ChunkVersion::BLOSC2,
                codec_version: 1,
                flags: ChunkFlags::from_raw(format << 5 | how),
                typesize: 4,
                nbytes: 32,
                blocksize: 16,
                cbytes: 64,
                extension: Some(extension),
            };
            dictionary.written(&format!("chunk_{format}_{how:02x}"), &header, little);
        }
    }
    for kind in Special::ALL.iter().copied().filter(|&kind| kind != Special::NONE) {
        dictionary.add(format!("special_{}", kind.0), vec![ChunkKind::new().with_special(kind).raw()]);
    }
    for id in FilterId::ALL.iter().copied().filter(|&id| id != FilterId::NONE) {
        dictionary.written(&format!("filter_{}", id.0), &alone(id), little);
    }
    for length in [-255, -1, 0, 1, 8, 16] {
        let token = (length < 0).then(|| Token::from_raw(1));
        let data = Region::default();
        dictionary.written(&format!("stream_{length}"), &Stream { length, token, data }, little);
    }
    dictionary.add("zstd_magic".into(), vec![0x28, 0xb5, 0x2f, 0xfd]);
    dictionary.add("zstd_dictionary_magic".into(), vec![0x37, 0xa4, 0x30, 0xec]);
    dictionary.layout::<ChunkHeader>(&[little]);
    dictionary.layout::<ChunkBody>(&[little]);
    dictionary.layout::<BlockTable>(&[little]);
    dictionary.layout::<Stream>(&[little]);
    dictionary.layout::<Index>(&[little]);
}

/// Returns six slots, with a filter in the last one.
fn alone(filter: FilterId) -> FilterIds {
    let mut ids = FilterIds::default();
    ids.0[FILTER_SLOTS - 1] = filter;
    ids
}
