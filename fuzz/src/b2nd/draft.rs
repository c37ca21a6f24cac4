//! Frames put together from parts through the layouts, with every length and offset where it belongs.

use super::plain::{self, Expected};
use crate::random::Random;
use everybyte::{BinWrite, Bytes, Endian, Layout, Source, Zeros, length_of, read, write};
use ndbytes_schemas::b2nd::{ArrayLayer, DtypeText, InnerShape, Parts, Shape, Str32};
use ndbytes_schemas::blosc2::{
    AxesHead, Bool, ChunkFlags, ChunkHeader, ChunkKind, ChunkVersion, Codec, Compression, Content, Directory, Entry,
    Extension, FILTER_SLOTS, FilterId, FilterIds, FixExt16, FrameFlags, FrameType, Header, Int16, Int32, Int64, Magic,
    Marker, Metalayers, Name, Splitting, Trailer, TrailerTail, Uint16, Uint32, Uint64, WriterFlags,
};
use std::fs;
use std::path::Path;

/// The most bytes of all chunks that are taken out of a file, and of an index.
const MOST_BYTES: usize = 64 << 10;

/// A frame in parts.
#[derive(Debug, Clone)]
pub struct Draft {
    /// Without metalayers; lengths are set when the frame is put together.
    pub header: Header,
    pub layers: Vec<Layer>,
    /// As they are stored, in the order of the file.
    pub chunks: Vec<Vec<u8>>,
    pub entries: Vec<Place>,
    pub index: IndexForm,
    pub trailer_version: u8,
    /// The metalayers of the trailer.
    pub attributes: Vec<Layer>,
    /// What stands behind the frame.
    pub rest: Vec<u8>,
}

/// A metalayer in parts.
#[derive(Debug, Clone)]
pub struct Layer {
    pub name: Name,
    pub content: Vec<u8>,
}

/// An entry of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// It leads to this one of the chunks.
    Chunk(usize),
    Other(i64),
}

/// How the index is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexForm {
    /// As it is.
    Stored,
    /// In blocks that are not compressed.
    Blocks,
    /// As one value for all, if there is only one; else as it is.
    Same,
}

impl IndexForm {
    pub fn any(random: &mut Random) -> Self {
        [IndexForm::Stored, IndexForm::Blocks, IndexForm::Same][random.below(3) as usize]
    }
}

/// Where in the metalayers of a trailer offsets begin to count, and in those of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Around {
    Header,
    Trailer,
}

/// The header of a frame whose items have so many bytes. Lengths are set when the frame is put together.
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
        has_attributes: Bool(false),
        filter_slots: FixExt16(6),
        filters: last_filter(FilterId::SHUFFLE),
        user_codec: Codec::LZ4,
        codec_meta: 0,
        filter_meta: [0; 6],
        writer_flags: WriterFlags::from_raw(0),
        reserved: Zeros::default(),
        metalayers: metalayers(&[], Around::Header),
    }
}

/// The metalayer that makes an array of a frame.
pub fn array_layer(axes: &[[i64; 3]], dtype: Option<&str>) -> ArrayLayer {
    let head = AxesHead(axes.len() as u8);
    let inner =
        |which: usize| InnerShape { head, extents: axes.iter().map(|axis| Int32(axis[which] as i32)).collect() };
    ArrayLayer {
        parts: if dtype.is_some() { Parts::WithDtype } else { Parts::WithoutDtype },
        version: 0,
        ndim: axes.len() as u8,
        shape: Shape { head, extents: axes.iter().map(|axis| Int64(axis[0])).collect() },
        chunk_shape: inner(1),
        block_shape: inner(2),
        dtype: dtype.map(|text| DtypeText { format: 0, text: Str32 { head: Marker, bytes: text.into() } }),
    }
}

/// The extents of array, chunk and block along each axis.
pub fn axes(layer: &ArrayLayer) -> Vec<[i64; 3]> {
    let inner = layer.chunk_shape.extents.iter().zip(&layer.block_shape.extents);
    let axes = layer.shape.extents.iter().zip(inner);
    axes.map(|(extent, (chunk, block))| [extent.0, chunk.0.into(), block.0.into()]).collect()
}

/// How many chunks there are and how many items each has, if these are numbers that one can count with.
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

/// A filter in the last slot.
pub fn last_filter(filter: FilterId) -> FilterIds {
    let mut ids = FilterIds::default();
    ids.0[FILTER_SLOTS - 1] = filter;
    ids
}

/// The header of a chunk of 32 bytes; lengths are to be set.
pub fn chunk_header(typesize: u8) -> ChunkHeader {
    let extension = Extension {
        filters: FilterIds::default(),
        codec: Codec::BLOSCLZ,
        codec_meta: 0,
        filter_meta: [0; 6],
        block_flags: ndbytes_schemas::blosc2::BlockFlags::from_raw(0),
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

/// A chunk that is stored as it is.
pub fn stored_chunk(typesize: u8, block: usize, content: &[u8]) -> Vec<u8> {
    let (nbytes, cbytes) = (content.len() as i32, content.len() as i32 + 32);
    let flags = ChunkFlags::from_raw(0b1_0111);
    let header = ChunkHeader { flags, nbytes, blocksize: block as i32, cbytes, ..chunk_header(typesize) };
    [&write(&header, Endian::Little).expect("a header can be written"), content].concat()
}

/// A chunk of blocks that are one stream each, stored as it is.
fn chunk_of_blocks(typesize: u8, block: usize, content: &[u8]) -> Vec<u8> {
    let count = content.len().div_ceil(block);
    let cbytes = 32 + 4 * count + 4 * count + content.len();
    let (nbytes, blocksize, cbytes) = (content.len() as i32, block as i32, cbytes as i32);
    let header = ChunkHeader { nbytes, blocksize, cbytes, ..chunk_header(typesize) };
    let mut chunk = write(&header, Endian::Little).expect("a header can be written");
    (0..count).for_each(|number| chunk.extend((32 + 4 * count as i32 + number as i32 * (4 + blocksize)).to_le_bytes()));
    for block in content.chunks(block) {
        chunk.extend((block.len() as i32).to_le_bytes());
        chunk.extend(block);
    }
    chunk
}

/// A chunk all of whose items are the same; the kind of that, and the value where it is one.
pub fn special_chunk(typesize: u8, nbytes: i32, kind: u8, value: &[u8]) -> Vec<u8> {
    let (blocksize, cbytes) = (nbytes.max(1), 32 + value.len() as i32);
    let mut header = ChunkHeader { nbytes, blocksize, cbytes, ..chunk_header(typesize) };
    if let Some(extension) = &mut header.extension {
        extension.chunk_kind = ChunkKind::from_raw(kind << 4);
    }
    [&write(&header, Endian::Little).expect("a header can be written"), value].concat()
}

impl Layer {
    pub fn new(name: &[u8], content: Vec<u8>) -> Self {
        Layer { name: Name::new(name).expect("the name is short enough"), content }
    }
}

impl Draft {
    /// An array of chunks as they are stored, one for each place.
    pub fn of_array(axes: &[[i64; 3]], typesize: i32, dtype: Option<&str>, chunks: Vec<Vec<u8>>) -> Self {
        let layer = write(&array_layer(axes, dtype), Endian::Big).expect("a layer can be written");
        let mut draft = Draft {
            header: header(typesize),
            layers: vec![Layer::new(ndbytes_schemas::b2nd::METALAYER, layer)],
            entries: (0..chunks.len()).map(Place::Chunk).collect(),
            chunks,
            index: IndexForm::Stored,
            trailer_version: 1,
            attributes: vec![],
            rest: vec![],
        };
        draft.agree();
        draft
    }

    /// The metalayer that makes an array of the frame, if it can be read.
    pub fn array_layer(&self) -> Option<(usize, ArrayLayer)> {
        let place = self.layers.iter().position(|layer| layer.name.bytes() == ndbytes_schemas::b2nd::METALAYER)?;
        Some((place, read(Source::new(&self.layers[place].content), Endian::Big, ()).ok()?))
    }

    /// Makes the header say what the shapes of the array come to, and gives the index as many entries.
    pub fn agree(&mut self) {
        self.header.has_attributes = Bool(!self.attributes.is_empty());
        let Some((_, layer)) = self.array_layer() else { return };
        let axes = axes(&layer);
        let Some((chunks, items)) = counts(&axes) else { return };
        let size = self.header.typesize.0.unsigned_abs().into();
        let block: i64 = axes.iter().fold(1, |product, axis| product.saturating_mul(axis[2]));
        let bytes = items.saturating_mul(size);
        self.header.blocksize = Int32(i32::try_from(block.saturating_mul(size as i64)).unwrap_or(i32::MAX));
        self.header.chunksize = Int32(if chunks == 0 { 0 } else { i32::try_from(bytes).unwrap_or(i32::MAX) });
        self.header.nbytes = Int64(i64::try_from(bytes.saturating_mul(chunks)).unwrap_or(i64::MAX));
        if chunks <= 1024 {
            let last = self.entries.last().copied().unwrap_or(Place::Other(i64::MIN | 1 << 56));
            self.entries.resize(chunks as usize, last);
        }
    }

    /// The parts of a frame whose structures can be read; what the index does not lead to is left out.
    pub fn take_apart(file: &[u8]) -> Option<Self> {
        let mut header: Header = read(Source::new(file), Endian::Big, ()).ok()?;
        let layers = layers(&header.metalayers, file);
        header.metalayers = metalayers(&[], Around::Header);
        let end = usize::try_from(header.frame_length.0).ok()?.min(file.len());
        let (frame, rest) = file.split_at(end);
        let tail = frame.len().checked_sub(TrailerTail::SIZE? as usize)?;
        let tail: TrailerTail = read(Source::new(frame).at(tail as u64), Endian::Big, ()).ok()?;
        let start = frame.len().checked_sub(tail.trailer_length.0 as usize)?;
        let trailer: Trailer = read(Source::new(frame).at(start as u64), Endian::Big, ()).ok()?;
        let attributes = self::layers(&trailer.attributes, file);
        let first = usize::try_from(header.header_length.0).ok()?;
        let mut draft = Draft {
            header,
            layers,
            chunks: vec![],
            entries: vec![],
            index: IndexForm::Stored,
            trailer_version: trailer.version,
            attributes,
            rest: rest.to_vec(),
        };
        if draft.header.nbytes.0 == 0 {
            return Some(draft);
        }
        let index = first.checked_add(usize::try_from(draft.header.cbytes.0).ok()?)?;
        let index = frame.get(index..start)?;
        let entries = plain::decode(index, Expected { nbytes: Err(MOST_BYTES), item_size: Some(8), block_size: None })?;
        let mut offsets: Vec<usize> = Vec::new();
        let mut room = MOST_BYTES;
        for entry in entries.as_chunks::<8>().0 {
            let entry = i64::from_le_bytes(*entry);
            let stored = usize::try_from(entry).ok().and_then(|offset| {
                let known = offsets.iter().position(|&other| other == offset);
                known.or_else(|| {
                    let chunk = file.get(first.checked_add(offset)?..start)?;
                    let length = i32::from_le_bytes(*chunk.get(12..16)?.first_chunk()?);
                    let chunk = chunk.get(..usize::try_from(length).ok()?)?;
                    room = room.checked_sub(chunk.len())?;
                    offsets.push(offset);
                    draft.chunks.push(chunk.to_vec());
                    Some(offsets.len() - 1)
                })
            });
            draft.entries.push(stored.map_or(Place::Other(entry), Place::Chunk));
        }
        Some(draft)
    }

    /// The file of a contiguous frame.
    pub fn put_together(&self) -> Vec<u8> {
        let mut offset = 0;
        let offsets: Vec<i64> = self
            .chunks
            .iter()
            .map(|chunk| {
                let here = offset;
                offset += chunk.len() as i64;
                here
            })
            .collect();
        self.frame(&self.chunks.concat(), &offsets, 0)
    }

    /// A sparse frame of the same parts: a folder, which is emptied before.
    pub fn put_into(&self, folder: &Path) {
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder).expect("scratch files can be written");
        let numbers: Vec<i64> = (0..self.chunks.len() as i64).collect();
        let put = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("scratch files can be written");
        put("chunks.b2frame", &self.frame(&[], &numbers, 1));
        for (number, chunk) in self.chunks.iter().enumerate() {
            put(&format!("{number:08X}.chunk"), chunk);
        }
    }

    /// The frame around the chunks, each of which the index knows by its place.
    fn frame(&self, chunks: &[u8], places: &[i64], sparse: u8) -> Vec<u8> {
        let mut header = Header { metalayers: metalayers(&self.layers, Around::Header), ..self.header.clone() };
        let length = length_of(&header, Endian::Big) as usize;
        let trailer = self.trailer();
        let index = if self.header.nbytes.0 == 0 { Vec::new() } else { self.index(places) };
        let all = length + chunks.len() + index.len() + trailer.len();
        (header.header_length, header.frame_length) = (Int32(length as i32), Uint64(all as u64));
        header.cbytes = Int64(self.chunks.iter().map(|chunk| chunk.len() as i64).sum());
        header.frame_type = FrameType::from_raw(header.frame_type.raw() & 0xf0 | sparse);
        let mut frame = written(&header);
        fill(&mut frame, length, &self.layers);
        frame.extend(chunks);
        frame.extend(index);
        frame.extend(trailer);
        frame.extend(&self.rest);
        frame
    }

    fn index(&self, places: &[i64]) -> Vec<u8> {
        let entry = |place: &Place| match *place {
            Place::Chunk(chunk) => places.get(chunk).copied().unwrap_or(0),
            Place::Other(entry) => entry,
        };
        let entries: Vec<i64> = self.entries.iter().map(entry).collect();
        let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_le_bytes()).collect();
        match (self.index, entries.first()) {
            (IndexForm::Same, Some(&first)) if entries.iter().all(|&entry| entry == first) => {
                special_chunk(8, bytes.len() as i32, 3, &first.to_le_bytes())
            }
            (IndexForm::Blocks, Some(_)) => chunk_of_blocks(8, 16, &bytes),
            _ => stored_chunk(8, bytes.len().max(1), &bytes),
        }
    }

    fn trailer(&self) -> Vec<u8> {
        let mut trailer = Trailer {
            head: Marker,
            version: self.trailer_version,
            attributes: metalayers(&self.attributes, Around::Trailer),
            tail: TrailerTail {
                trailer_length: Uint32(0),
                fingerprint_type: FixExt16(0),
                fingerprint: Zeros::default(),
            },
        };
        let length = length_of(&trailer, Endian::Big) as usize;
        trailer.tail.trailer_length = Uint32(length as u32);
        let mut bytes = written(&trailer);
        fill(&mut bytes, length - TrailerTail::SIZE.unwrap_or(0) as usize, &self.attributes);
        bytes
    }
}

/// A structure as it is written, the contents of its metalayers still zero.
fn written<T: Layout + for<'a> BinWrite<Args<'a> = ()>>(value: &T) -> Vec<u8> {
    let mut bytes = write(value, Endian::Big).expect("what was read or made can be written");
    bytes.resize(length_of(value, Endian::Big) as usize, 0);
    bytes
}

/// Puts the contents of metalayers where they belong: the last one ends here.
fn fill(bytes: &mut [u8], mut end: usize, layers: &[Layer]) {
    for layer in layers.iter().rev() {
        let start = end - layer.content.len();
        bytes[start..end].copy_from_slice(&layer.content);
        end = start - 5;
    }
}

/// Metalayers, with the offsets that they have in a header or in a trailer.
fn metalayers(layers: &[Layer], around: Around) -> Metalayers {
    let names: usize = layers.iter().map(|layer| 6 + layer.name.bytes().len()).sum();
    let before = if around == Around::Header { 87 } else { 2 };
    // Three heads, each three bytes with its number.
    let mut offset = before + 1 + 3 + 3 + names + 3;
    let entries = layers.iter().map(|layer| {
        let here = offset;
        offset += 5 + layer.content.len();
        Entry { name: layer.name.clone(), offset: Int32(here as i32) }
    });
    let length = Uint16((6 + names + usize::from(around == Around::Header)) as u16);
    let directory = Directory { length, entries: entries.collect() };
    let content = |layer: &Layer| Content { head: Marker, bytes: Bytes::new(layer.content.len() as u64) };
    Metalayers { head: Marker, directory, contents: layers.iter().map(content).collect() }
}

/// The names and contents of metalayers that were read.
fn layers(metalayers: &Metalayers, file: &[u8]) -> Vec<Layer> {
    let pairs = metalayers.directory.entries.iter().zip(&metalayers.contents);
    let layer = |(entry, content): (&Entry, &Content)| {
        let place = content.bytes.range();
        Layer { name: entry.name.clone(), content: file[place.start as usize..place.end as usize].to_vec() }
    };
    pairs.map(layer).collect()
}
