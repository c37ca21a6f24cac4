//! Frames that are built from parts with the layouts, with correct lengths and offsets.
//!
//! Putting a frame together computes every length, offset and index entry. Broken files are still possible: [`Lies`]
//! state how much a number differs from the correct one, and entries may be invalid. Taking a consistent file apart and
//! putting it together yields the same bytes, so operations change only what they are meant to change.

use super::encode::{self, Style, decode};
use super::parts::{self, Around, Layer, axes, counts, metalayers, special_chunk, stored_chunk, written};
use everybyte::forge::Choices;
use everybyte::{Endian, Layout, Source, bytes::Zeros, read, trace::length_of};
use ndbytes::internals::Expected;
use ndbytes_schemas::b2nd::{ArrayLayer, METALAYER, OLD_METALAYER};
use ndbytes_schemas::blosc2::folder::chunk_file;
use ndbytes_schemas::blosc2::{
    Bool, Codec, Content, Entry, FixExt16, FrameKind, Header, IndexEntry, Int32, Int64, Marker, Special, Trailer,
    TrailerTail, Uint32, Uint64,
};
use std::collections::BTreeMap;
use std::iter;

/// The maximum number of bytes in all chunks that are read from a file.
const MOST_BYTES: usize = 1 << 20;

/// The maximum number of chunks that an index is extended to.
const MOST_CHUNKS: u64 = 1024;

/// A frame in parts.
#[derive(Debug, Clone)]
pub struct FileParts {
    /// The header without metalayers; lengths are set when the frame is built.
    pub header: Header,
    pub layers: Vec<Layer>,
    /// The stored chunks, in the order of the file.
    pub chunks: Vec<Vec<u8>>,
    pub entries: Vec<Place>,
    pub index: IndexForm,
    /// The index as read, with its entries. It is kept while the entries are unchanged.
    pub read_index: Option<(Vec<i64>, Vec<u8>)>,
    pub trailer_version: u8,
    /// The kind of the fingerprint, and its bytes.
    pub fingerprint: (FixExt16, Zeros<16>),
    /// The metalayers of the trailer.
    pub attributes: Vec<Layer>,
    /// The bytes after the frame.
    pub rest: Vec<u8>,
    pub lies: Lies,
}

/// The differences between numbers in the file and the correct ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lies {
    pub header_length: i32,
    pub frame_length: i64,
    /// The length of the chunks in bytes, if there are chunks.
    pub cbytes: i64,
    /// The lengths before the names of metalayers, in the header and in the trailer.
    pub directories: [i32; 2],
    pub trailer_length: i32,
}

/// An entry in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A reference to the chunk with this index.
    Chunk(usize),
    Other(i64),
}

impl Place {
    /// Returns the entry for a chunk that is stored only in the index.
    pub fn special(kind: Special) -> Self {
        Place::Other(i64::from_le_bytes(IndexEntry::Special(kind).to_bytes()))
    }
}

/// How the index is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexForm {
    /// Unchanged.
    Stored,
    /// In blocks, with streams of this codec.
    Blocks(Codec),
    /// As a single value if all entries are equal; otherwise unchanged.
    Same,
}

impl IndexForm {
    /// Chooses a form. The plain form is the most frequent, as in real files.
    pub fn any(choices: &mut Choices<'_>) -> Self {
        match choices.below(4) {
            0 | 1 => IndexForm::Stored,
            2 => IndexForm::Blocks(*choices.pick(&[Codec::BLOSCLZ, Codec::LZ4, Codec::ZLIB, Codec::ZSTD])),
            _ => IndexForm::Same,
        }
    }
}

impl FileParts {
    /// Creates a frame without chunks.
    pub fn new(typesize: i32) -> Self {
        FileParts {
            header: parts::header(typesize),
            layers: Vec::new(),
            chunks: Vec::new(),
            entries: Vec::new(),
            index: IndexForm::Stored,
            read_index: None,
            trailer_version: 1,
            fingerprint: (FixExt16(0), Zeros::default()),
            attributes: Vec::new(),
            rest: Vec::new(),
            lies: Lies::default(),
        }
    }

    /// Creates an array from stored chunks, one per position.
    pub fn of_array(axes: &[[i64; 3]], typesize: i32, dtype: Option<&[u8]>, chunks: Vec<Vec<u8>>) -> Self {
        let layer = written(&parts::array_layer(axes, dtype), Endian::Big);
        let mut draft = FileParts::new(typesize);
        draft.layers.push(Layer::new(METALAYER, layer));
        draft.entries = (0..chunks.len()).map(Place::Chunk).collect();
        draft.chunks = chunks;
        draft.agree();
        draft
    }

    /// Returns the metalayer that makes the frame an array, if it can be read.
    pub fn array_layer(&self) -> Option<(usize, ArrayLayer)> {
        let of_name = |name: &[u8]| self.layers.iter().position(|layer| layer.name.bytes() == name);
        let place = of_name(METALAYER).or_else(|| of_name(OLD_METALAYER))?;
        Some((place, read(Source::new(&self.layers[place].content), Endian::Big, ()).ok()?))
    }

    /// Changes the metalayer that makes the frame an array.
    pub fn set_array_layer(&mut self, layer: &ArrayLayer) {
        if let Some((place, _)) = self.array_layer() {
            self.layers[place].content = written(layer, Endian::Big);
        }
    }

    /// Returns the lengths of array, chunk and block along each axis.
    pub fn axes(&self) -> Option<Vec<[i64; 3]>> {
        self.array_layer().map(|(_, layer)| axes(&layer))
    }

    /// Adjusts the header's numbers to the array's shapes, and the index to the number of chunks.
    pub fn agree(&mut self) {
        self.header.has_attributes = Bool::from(!self.attributes.is_empty());
        let Some(axes) = self.axes() else { return };
        let Some((chunks, items)) = counts(&axes) else { return };
        let size = self.header.typesize.0.unsigned_abs().into();
        let block: i64 = axes.iter().fold(1, |product, axis| product.saturating_mul(axis[2]));
        let bytes = items.saturating_mul(size);
        self.header.blocksize = Int32(i32::try_from(block.saturating_mul(size as i64)).unwrap_or(i32::MAX));
        self.header.chunksize = Int32(if chunks == 0 { 0 } else { i32::try_from(bytes).unwrap_or(i32::MAX) });
        self.header.nbytes = Int64(i64::try_from(bytes.saturating_mul(chunks)).unwrap_or(i64::MAX));
        if chunks <= MOST_CHUNKS {
            let last = self.entries.last().copied().unwrap_or(Place::special(Special::ZEROS));
            let lacking = (chunks as usize).saturating_sub(self.entries.len());
            self.entries.truncate(chunks as usize);
            self.entries.extend(iter::repeat_n(last, lacking));
        }
    }

    /// Splits a frame whose structures can be read into its parts; chunks that the index does not refer to are left
    /// out.
    pub fn take_apart(file: &[u8]) -> Option<Self> {
        FileParts::take_folder_apart(file, &[])
    }

    /// Splits a sparse frame in the same way, given the bytes of its frame file and its other files.
    pub fn take_folder_apart(file: &[u8], others: &[(String, Vec<u8>)]) -> Option<Self> {
        let mut header: Header = read(Source::new(file), Endian::Big, ()).ok()?;
        let mut draft = FileParts::new(1);
        draft.layers = layers(&header.metalayers, file);
        let header_length = length_of(&header, Endian::Big);
        draft.lies.directories[0] = lie_of(&header.metalayers, &mut draft.layers, Around::Header);
        header.metalayers = metalayers(&[], Around::Header, 0);
        let frame_length = header.frame_length.0;
        let end = usize::try_from(frame_length).ok()?.min(file.len());
        let (frame, rest) = file.split_at(end);
        let tail = frame.len().checked_sub(TrailerTail::SIZE? as usize)?;
        let tail: TrailerTail = read(Source::new(frame).at(tail as u64), Endian::Big, ()).ok()?;
        let start = frame.len().checked_sub(tail.trailer_length.0 as usize)?;
        let trailer: Trailer = read(Source::new(frame).at(start as u64), Endian::Big, ()).ok()?;
        draft.attributes = layers(&trailer.attributes, file);
        draft.lies.directories[1] = lie_of(&trailer.attributes, &mut draft.attributes, Around::Trailer);
        draft.lies.frame_length = (frame_length - end as u64) as i64;
        draft.lies.trailer_length =
            (tail.trailer_length.0 as u64).wrapping_sub(length_of(&trailer, Endian::Big)) as i32;
        draft.lies.header_length = header.header_length.0.wrapping_sub(header_length as i32);
        draft.trailer_version = trailer.version;
        draft.fingerprint = (trailer.tail.fingerprint_type, trailer.tail.fingerprint);
        draft.rest = rest.to_vec();
        let first = usize::try_from(header.header_length.0).ok()?;
        let (nbytes, cbytes, kind) = (header.nbytes.0, header.cbytes.0, header.frame_type.kind());
        draft.header = header;
        if nbytes == 0 {
            draft.lies.cbytes = cbytes;
            return Some(draft);
        }
        let is_sparse = kind == FrameKind::SPARSE;
        let index = if is_sparse { first } else { first.checked_add(usize::try_from(cbytes).ok()?)? };
        let chunks = frame.get(first..index)?;
        draft.take_index(frame.get(index..start)?)?;
        match is_sparse {
            true => draft.take_files(others),
            false => draft.take_chunks(chunks),
        }
        let stored: i64 = draft.chunks.iter().map(|chunk| chunk.len() as i64).sum();
        draft.lies.cbytes = if is_sparse { cbytes.wrapping_sub(stored) } else { 0 };
        Some(draft)
    }

    /// Reads the entries of an index, as plain numbers.
    fn take_index(&mut self, index: &[u8]) -> Option<()> {
        let entries = decode(index, Expected { item_size: Some(8), ..Expected::default() })?;
        let numbers: Vec<i64> = entries.as_chunks().0.iter().map(|entry| i64::from_le_bytes(*entry)).collect();
        self.entries = numbers.iter().copied().map(Place::Other).collect();
        self.read_index = Some((numbers, index.to_vec()));
        self.index = match super::stored::Chunk::take_apart(index) {
            Some(chunk) => {
                IndexForm::Blocks(chunk.header.extension.map_or(Codec::BLOSCLZ, |extension| extension.codec))
            }
            None if index.get(2).is_some_and(|flags| flags & 2 != 0) => IndexForm::Stored,
            None => IndexForm::Same,
        };
        Some(())
    }

    /// Reads the chunks that the entries refer to, in the order of the file.
    fn take_chunks(&mut self, chunks: &[u8]) {
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        let mut room = MOST_BYTES;
        for entry in &self.entries {
            let Place::Other(entry) = *entry else { continue };
            let Ok(offset) = usize::try_from(entry) else { continue };
            let length = chunks.get(offset..).and_then(|chunk| chunk.get(12..16)).and_then(<[u8]>::first_chunk);
            let length = length.and_then(|length| usize::try_from(i32::from_le_bytes(*length)).ok());
            let is_whole = length.is_some_and(|length| length <= chunks.len() - offset && length <= room);
            if let (true, Some(length), false) = (is_whole, length, places.contains_key(&offset)) {
                room -= length;
                places.insert(offset, length);
            }
        }
        self.chunks = places.iter().map(|(offset, length)| chunks[*offset..offset + length].to_vec()).collect();
        let numbers: BTreeMap<usize, usize> = places.into_keys().zip(0..).collect();
        for entry in &mut self.entries {
            if let Place::Other(number) = *entry
                && let Some(chunk) = usize::try_from(number).ok().and_then(|offset| numbers.get(&offset))
            {
                *entry = Place::Chunk(*chunk);
            }
        }
    }

    /// Reads the chunks of a sparse frame, in the order of its entries.
    fn take_files(&mut self, others: &[(String, Vec<u8>)]) {
        let files: BTreeMap<&str, &[u8]> = others.iter().map(|(name, bytes)| (name.as_str(), &**bytes)).collect();
        let mut numbers: BTreeMap<u64, usize> = BTreeMap::new();
        for entry in &mut self.entries {
            let Place::Other(number) = *entry else { continue };
            let Ok(number) = u64::try_from(number) else { continue };
            if let Some(bytes) = files.get(chunk_file(number).as_str()) {
                let chunk = *numbers.entry(number).or_insert_with(|| {
                    self.chunks.push(bytes.to_vec());
                    self.chunks.len() - 1
                });
                *entry = Place::Chunk(chunk);
            }
        }
    }

    /// Builds the bytes of the file, or of the frame in its directory.
    pub fn put_together(&self) -> Vec<u8> {
        if self.is_sparse() {
            let numbers: Vec<i64> = (0..self.chunks.len() as i64).collect();
            return self.frame(&[], &numbers);
        }
        let mut offset = 0;
        let place = |chunk: &Vec<u8>| {
            let here = offset;
            offset += chunk.len() as i64;
            here
        };
        let places: Vec<i64> = self.chunks.iter().map(place).collect();
        self.frame(&self.chunks.concat(), &places)
    }

    /// Returns the other files in the directory of the frame; none for a contiguous frame.
    pub fn others(&self) -> Vec<(String, Vec<u8>)> {
        let files = self.chunks.iter().zip(0..).map(|(chunk, number)| (chunk_file(number), chunk.clone()));
        if self.is_sparse() { files.collect() } else { Vec::new() }
    }

    /// Returns whether the chunks are files of a directory.
    pub fn is_sparse(&self) -> bool {
        self.header.frame_type.kind() == FrameKind::SPARSE
    }

    /// Builds the frame around the chunks, with an index of their positions.
    fn frame(&self, chunks: &[u8], places: &[i64]) -> Vec<u8> {
        let lies = &self.lies;
        let metalayers = metalayers(&self.layers, Around::Header, lies.directories[0]);
        let mut header = Header { metalayers, ..self.header.clone() };
        let length = length_of(&header, Endian::Big) as usize;
        let trailer = self.trailer();
        let index = if self.header.nbytes.0 == 0 { Vec::new() } else { self.index(places) };
        let all = length + chunks.len() + index.len() + trailer.len();
        header.header_length = Int32((length as i32).wrapping_add(lies.header_length));
        header.frame_length = Uint64((all as u64).wrapping_add_signed(lies.frame_length));
        let cbytes: i64 = self.chunks.iter().map(|chunk| chunk.len() as i64).sum();
        header.cbytes = Int64(cbytes.wrapping_add(lies.cbytes));
        let mut frame = written(&header, Endian::Big);
        fill(&mut frame, length, &self.layers);
        for part in [chunks, &index, &trailer, &self.rest] {
            frame.extend_from_slice(part);
        }
        frame
    }

    /// Builds the index chunk with these offsets, in the chosen form.
    fn index(&self, places: &[i64]) -> Vec<u8> {
        let entry = |place: &Place| match *place {
            Place::Chunk(chunk) => places.get(chunk).copied().unwrap_or(0),
            Place::Other(entry) => entry,
        };
        let entries: Vec<i64> = self.entries.iter().map(entry).collect();
        if let Some((_, index)) = self.read_index.as_ref().filter(|(numbers, _)| *numbers == entries) {
            return index.clone();
        }
        let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_le_bytes()).collect();
        let stored = || stored_chunk(8, bytes.len().max(1), &bytes);
        match (self.index, entries.first()) {
            (IndexForm::Same, Some(&first)) if entries.iter().all(|&entry| entry == first) => {
                let length = bytes.len() as i32;
                match first {
                    0 => special_chunk(8, length, length, Special::ZEROS, &[]),
                    first => special_chunk(8, length, length, Special::VALUE, &first.to_le_bytes()),
                }
            }
            (IndexForm::Blocks(codec), Some(_)) => {
                let chunk = encode::blocks(&Style::plain(codec, 5), 8, 8, bytes.len(), &bytes);
                chunk.map_or_else(stored, |chunk| chunk.put_together())
            }
            _ => stored(),
        }
    }

    /// Builds the trailer: the attributes, and its own length at the end.
    fn trailer(&self) -> Vec<u8> {
        let (fingerprint_type, fingerprint) = self.fingerprint;
        let mut trailer = Trailer {
            head: Marker,
            version: self.trailer_version,
            attributes: metalayers(&self.attributes, Around::Trailer, self.lies.directories[1]),
            tail: TrailerTail { trailer_length: Uint32(0), fingerprint_type, fingerprint },
        };
        let length = length_of(&trailer, Endian::Big) as usize;
        trailer.tail.trailer_length = Uint32((length as u32).wrapping_add_signed(self.lies.trailer_length));
        let mut bytes = written(&trailer, Endian::Big);
        fill(&mut bytes, length - TrailerTail::SIZE.unwrap_or(0) as usize, &self.attributes);
        bytes
    }
}

/// Writes the contents of metalayers to their positions, with the last one ending at `end`.
fn fill(bytes: &mut [u8], mut end: usize, layers: &[Layer]) {
    for layer in layers.iter().rev() {
        let start = end.saturating_sub(layer.content.len());
        if let Some(place) = bytes.get_mut(start..end).filter(|place| place.len() == layer.content.len()) {
            place.copy_from_slice(&layer.content);
        }
        end = start.saturating_sub(5);
    }
}

/// Returns the names and contents of metalayers that were read.
fn layers(metalayers: &ndbytes_schemas::blosc2::Metalayers, file: &[u8]) -> Vec<Layer> {
    let pairs = metalayers.directory.entries.iter().zip(&metalayers.contents);
    let layer = |(entry, content): (&Entry, &Content)| {
        let place = content.bytes.range();
        let content = file.get(place.start as usize..place.end as usize).unwrap_or_default();
        Layer { content: content.to_vec(), ..Layer::new(entry.name.bytes(), Vec::new()) }
    };
    pairs.map(layer).collect()
}

/// Returns the difference between the stated and the correct length of the directory, and records the differences of
/// the metalayers' offsets.
fn lie_of(read: &ndbytes_schemas::blosc2::Metalayers, layers: &mut [Layer], around: Around) -> i32 {
    let honest = metalayers(layers, around, 0);
    let entries = read.directory.entries.iter().zip(&honest.directory.entries);
    for (layer, (entry, honest)) in layers.iter_mut().zip(entries) {
        layer.offset_lie = entry.offset.0.wrapping_sub(honest.offset.0);
    }
    i32::from(read.directory.length.0) - i32::from(honest.directory.length.0)
}
