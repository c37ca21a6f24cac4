//! Opening a frame.

use super::chunk::is_defined;
use super::{AsRead, ChunkHead};
use crate::blosc2::chunk::header::{Expected, LARGEST_BLOCK, LONGEST_HEADER};
use crate::blosc2::chunk::judge::judge_chunk;
use crate::blosc2::chunk::loader::ChargedLoader;
use crate::blosc2::chunk::stored::StoredChunk;
use crate::blosc2::metalayers::MOST;
use crate::blosc2::repair::read_repaired;
use crate::bytes::course::{Step, Stop, byte, demand, known, part};
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::findings::collect::Findings;
use everybyte::{Layout, Source};
use ndbytes_schemas::blosc2::{
    ChunkFlags, ChunkHeader, ChunkKind, ChunkVersion, Codec, FILTER_SLOTS, FilterId, FrameKind, FrameVersion, Header,
    IndexEntry, Metalayers, Special, TrailerTail,
};
use std::ops::{Range, RangeInclusive};

/// The number of bytes of a header before its metalayers: `FRAME_HEADER_MINLEN`.
const FIXED: i64 = (Header::MIN_SIZE - Metalayers::MIN_SIZE) as i64;

/// The length of the shortest trailer that C-Blosc2 accepts, which has two bytes before its tail.
const SHORTEST_TRAILER: i64 = 2 + TAIL;
const TAIL: i64 = TrailerTail::SIZE.expect("the tail has a fixed length") as i64;

/// The bytes after the fixed part of a header that has no metalayers.
const NO_METALAYERS: [u8; Metalayers::MIN_SIZE as usize] = [0x93, 0xcd, 0, 9, 0xde, 0, 0, 0xdc, 0, 0];

/// The maximum number of bytes of a chunk: `BLOSC2_MAX_BUFFERSIZE`.
const LARGEST_CHUNK: i64 = i32::MAX as i64 - LONGEST_HEADER as i64;

/// The maximum number of metalayers that C-Blosc2 accepts in a trailer: `BLOSC2_MAX_VLMETALAYERS`.
const MOST_OF_TRAILER: usize = 8 * 1024;

/// The chunk versions that are supported here.
const KNOWN_VERSIONS: RangeInclusive<ChunkVersion> = ChunkVersion::BLOSC1..=ChunkVersion::BLOSC2;

/// The smallest filter parameter that python-blosc2 cannot store, because it would be negative.
const LEAST_NEGATIVE: i64 = 128;

/// The numbers in the header of a frame, and the index of the chunks.
pub(crate) struct FrameAsRead {
    pub header_length: i64,
    pub length: i64,
    pub trailer_length: i64,
    pub nbytes: i64,
    pub cbytes: i64,
    pub typesize: i64,
    pub block_size: i64,
    pub chunk_size: i64,
    /// The entries of the index, one per chunk.
    index: Vec<IndexEntry>,
    pub metalayers: Vec<Named>,
    /// The metalayers of the trailer, with their positions in the file.
    pub attributes: Vec<Named>,
}

/// A metalayer: its name up to the first zero byte, and the position of its content in the file.
pub(crate) struct Named {
    pub name: Vec<u8>,
    pub content: Range<usize>,
}

impl Named {
    fn shifted(self, by: usize) -> Self {
        Named { content: self.content.start + by..self.content.end + by, ..self }
    }
}

impl FrameAsRead {
    /// The number of chunks.
    pub fn chunk_count(&self) -> i64 {
        self.index.len() as i64
    }

    /// The content of the first metalayer of this name.
    pub fn metalayer(&self, name: &[u8]) -> Option<Range<usize>> {
        self.metalayers.iter().find(|layer| layer.name == name).map(|layer| layer.content.clone())
    }

    /// The entry of a chunk.
    pub fn entry(&self, chunk: i64) -> Step<IndexEntry> {
        usize::try_from(chunk).ok().and_then(|chunk| self.index.get(chunk)).copied().ok_or(Stop::Refused)
    }

    /// The offset of a stored chunk in the file, as judged by `get_coffset`.
    pub fn chunk_start(&self, entry: IndexEntry) -> Step<i64> {
        let IndexEntry::At(offset) = entry else { return Err(Stop::Refused) };
        let longest = LONGEST_HEADER as i64;
        let offset = i64::try_from(offset).map_err(|_| Stop::Refused)?;
        let at = offset.checked_add(self.header_length).ok_or(Stop::Refused)?;
        demand(at <= self.header_length + self.cbytes - longest && at <= self.length - longest)?;
        Ok(at)
    }

    /// The chunk for a special value in the index: `frame_special_chunk`.
    pub fn special(&self, entry: IndexEntry, chunk: i64) -> Step<ChunkHead> {
        demand(self.chunk_size > 0)?;
        let left = self.nbytes % self.chunk_size;
        let is_last = chunk == self.chunk_count() - 1;
        let nbytes = if is_last && left > 0 { left } else { self.chunk_size };
        // C-Blosc2 tests the bits one after another.
        let kind = entry.kind().0;
        let special = [Special::ZEROS, Special::UNINITIALISED, Special::NAN].into_iter().find(|one| kind & one.0 != 0);
        let special = special.ok_or(Stop::Refused)?;
        known(self.block_size > 0 && self.typesize <= u8::MAX.into() && nbytes >= self.typesize)?;
        demand(nbytes % self.typesize == 0 && nbytes <= LARGEST_CHUNK && self.block_size <= LARGEST_BLOCK as i64)?;
        let mut block_size = self.block_size.min(nbytes);
        if block_size > self.typesize {
            block_size -= block_size % self.typesize;
        }
        Ok(ChunkHead::special(special, nbytes, self.typesize, block_size))
    }
}

impl AsRead<'_> {
    /// `blosc2_schunk_open_offset`, followed by python-blosc2's checks of the writer's settings.
    pub fn open(&mut self) -> Step<FrameAsRead> {
        let mut fixed = part(self.file, 0, FIXED)?.to_vec();
        fixed.extend(NO_METALAYERS);
        let header = read_repaired::<Header>(Source::new(&fixed)).map_err(|_| Stop::Refused)?.value;
        let length = i64::try_from(header.frame_length.0).map_err(|_| Stop::Refused)?;
        demand(length >= FIXED + SHORTEST_TRAILER && length <= self.file.len() as i64)?;
        let tail = part(self.file, length - TAIL, TAIL)?;
        demand(tail[0] == 0xce)?;
        let trailer_length = i64::from(u32::from_be_bytes(*tail[1..].first_chunk().ok_or(Stop::Refused)?));
        demand((SHORTEST_TRAILER..=length - FIXED).contains(&trailer_length))?;
        let mut frame = FrameAsRead {
            header_length: header.header_length.0.into(),
            length,
            trailer_length,
            nbytes: header.nbytes.0,
            cbytes: header.cbytes.0,
            typesize: header.typesize.0.into(),
            block_size: header.blocksize.0.into(),
            chunk_size: header.chunksize.0.into(),
            index: Vec::new(),
            metalayers: Vec::new(),
            attributes: Vec::new(),
        };
        header_info(&header, &frame)?;
        settings(&header)?;
        let head = part(self.file, 0, frame.header_length)?;
        // The index of the metalayers follows the marker of their parts.
        frame.metalayers = metalayers(head, FIXED + 1, MOST)?;
        let start = if frame.nbytes > 0 { length - trailer_length } else { frame.header_length };
        demand(start >= LONGEST_HEADER as i64 && start + trailer_length <= length)?;
        let attributes = metalayers(part(self.file, start, trailer_length)?, 3, MOST_OF_TRAILER)?;
        frame.attributes = attributes.into_iter().map(|attribute| attribute.shifted(start as usize)).collect();
        if frame.nbytes > 0 {
            self.index(&mut frame)?;
        }
        if frame.chunk_count() > 0 {
            self.lazy_chunk(&frame, 0)?;
        }
        Ok(frame)
    }

    /// `validate_offsets_chunk`: reads the index.
    fn index(&mut self, frame: &mut FrameAsRead) -> Step {
        let start = frame.header_length.checked_add(frame.cbytes).ok_or(Stop::Refused)?;
        demand(start >= 0)?;
        let room = frame.length - frame.trailer_length - start;
        demand(room > 0 && room <= i32::MAX.into())?;
        let src = part(self.file, start, room)?;
        let each = IndexEntry::LENGTH as i64;
        let count = match frame.chunk_size {
            0 => {
                let head = ChunkHead::of_sizes(part(src, 0, LONGEST_HEADER as i64)?)?;
                demand(head.nbytes >= 0 && head.nbytes % each == 0 && head.cbytes <= room)?;
                head.nbytes / each
            }
            chunk_size => frame.nbytes / chunk_size + i64::from(frame.nbytes % chunk_size > 0),
        };
        let length = count.checked_mul(each).filter(|&length| length <= i32::MAX.into()).ok_or(Stop::Refused)?;
        self.work(length)?;
        // Both the entries and their bytes are kept.
        self.hold(count.saturating_mul(each + size_of::<IndexEntry>() as i64))?;
        demand(self.decompress(src, length, None)? == length)?;
        frame.index = self.entries(start..start + room, length)?;
        for entry in &frame.index {
            let IndexEntry::At(offset) = *entry else { continue };
            demand(i64::try_from(offset).is_ok_and(|offset| offset <= frame.cbytes - LONGEST_HEADER as i64))?;
        }
        Ok(())
    }

    /// The entries of an index that can be decoded. C-Blosc2 extracts them one by one.
    fn entries(&mut self, place: Range<i64>, length: i64) -> Step<Vec<IndexEntry>> {
        let src = &self.file[place.start as usize..place.end as usize];
        let head = ChunkHead::read(src)?;
        // An entry of another length would be filled only partly, or would not fit.
        known(head.typesize >= IndexEntry::LENGTH as i64)?;
        demand(head.typesize == IndexEntry::LENGTH as i64)?;
        head.without_streams(IndexEntry::LENGTH as i64)?;
        known(!head.has_dictionary)?;
        let bytes = self.content(src, length)?;
        Ok(bytes.as_chunks().0.iter().map(|bytes| IndexEntry::from_bytes(*bytes)).collect())
    }
}

impl AsRead<'_> {
    /// `blosc2_vlmeta_get`: the bytes of an attribute.
    pub fn attribute(&mut self, attribute: &Named) -> Step<Vec<u8>> {
        let src = &self.file[attribute.content.clone()];
        let head = ChunkHead::of_sizes(src)?;
        demand(head.cbytes == src.len() as i64 && head.nbytes >= 0)?;
        demand(self.decompress(src, head.nbytes, None)? == head.nbytes)?;
        self.content(src, head.nbytes)
    }

    /// The bytes that C-Blosc2 decodes from a chunk. If they may differ from those decoded here, the reaction is not known.
    pub fn content(&self, src: &[u8], length: i64) -> Step<Vec<u8>> {
        known(ChunkHead::read(src)?.special != Special::UNINITIALISED)?;
        let expected = Expected { nbytes: Some(length as u64), ..Expected::default() };
        let chunk = judge_chunk(&as_usual(src), src.len() as u64, expected, &mut Findings::default());
        let chunk = chunk.ok_or(Stop::Unknown)?;
        let input = Input::from_slice(src, Limits::default());
        let stored = StoredChunk::within(&input, 0..src.len() as u64);
        let bytes = ChargedLoader::new(self.budget).whole(&chunk, &stored, self.budget)?.map_err(|_| Stop::Unknown)?;
        self.budget.give_back(bytes.capacity() as u64);
        Ok(bytes)
    }
}

/// The header of a chunk without the parts that C-Blosc2 ignores: an unknown version, the byte order and, in a chunk of
/// measurements, the filters.
fn as_usual(src: &[u8]) -> Vec<u8> {
    let mut head = src[..src.len().min(LONGEST_HEADER as usize)].to_vec();
    if let Some(version) = head.first_mut().filter(|version| !KNOWN_VERSIONS.contains(&ChunkVersion(**version))) {
        *version = ChunkVersion::BLOSC2.0;
    }
    let flags = ChunkFlags::from_raw(head.get(2).copied().unwrap_or(0));
    let extension = head.get_mut(ChunkHeader::MIN_SIZE as usize..).filter(|_| flags.shuffle() && flags.bitshuffle());
    if let Some((kind, others)) = extension.and_then(<[u8]>::split_last_mut) {
        let declared = ChunkKind::from_raw(*kind);
        if declared.instrumented() {
            others.iter_mut().take(FILTER_SLOTS).for_each(|filter| *filter = FilterId::NONE.0);
        }
        *kind = declared.with_big_endian(false).with_instrumented(false).raw();
    }
    head
}

/// `get_header_info`.
fn header_info(header: &Header, frame: &FrameAsRead) -> Step {
    demand(header.flags.version() <= FrameVersion::VARIABLE)?;
    demand(header.frame_type.kind() == FrameKind::CONTIGUOUS && header.frame_type.reserved() == 0)?;
    demand(frame.header_length >= FIXED && frame.header_length <= frame.length)?;
    demand(frame.typesize > 0)?;
    demand(usize::from(header.filter_slots.0) <= FILTER_SLOTS)?;
    if frame.nbytes > 0 {
        demand(frame.chunk_size >= 0 && (frame.chunk_size == 0 || frame.cbytes >= 0))?;
    }
    Ok(())
}

/// The settings of the writer. python-blosc2 uses them when it opens a file, so that it can write to it later.
fn settings(header: &Header) -> Step {
    let slots = usize::from(header.filter_slots.0);
    let (filters, parameters) = (&header.filters.0[..slots], &header.filter_meta[..slots]);
    demand(filters.iter().all(|&filter| is_defined(filter)))?;
    for (&filter, &parameter) in filters.iter().zip(parameters) {
        let is_size = filter == FilterId::BYTEDELTA && parameter == 0;
        let parameter = if is_size { i64::from(header.typesize.0) } else { parameter.into() };
        demand(parameter < LEAST_NEGATIVE)?;
    }
    let codec = match header.compression.codec() {
        Codec::REGISTERED => header.user_codec,
        codec => codec,
    };
    let shuffles = filters.iter().any(|filter| matches!(*filter, FilterId::SHUFFLE | FilterId::BITSHUFFLE));
    demand(!(codec.is_brought() && codec != Codec::NDLZ && shuffles))
}

/// `get_meta_from_header` and `get_vlmeta_from_trailer`. `start` is the first byte of the index.
fn metalayers(bytes: &[u8], start: i64, most: usize) -> Step<Vec<Named>> {
    // C-Blosc2 skips a marker and the length of the index without checking them.
    let mut at = start + 3;
    demand(byte(bytes, at)? == 0xde)?;
    let count = u16::from_be_bytes(*part(bytes, at + 1, 2)?.first_chunk().ok_or(Stop::Refused)?);
    demand(usize::from(count) <= most)?;
    at += 3;
    let mut layers = Vec::new();
    for _ in 0..count {
        let head = byte(bytes, at)?;
        demand(head & 0xe0 == 0xa0)?;
        let length = i64::from(head & 0x1f);
        let name = part(bytes, at + 1, length)?;
        let name = name.split(|&byte| byte == 0).next().unwrap_or_default().to_vec();
        at += 1 + length;
        demand(byte(bytes, at)? == 0xd2)?;
        let offset = big_endian(bytes, at + 1)?;
        at += 5;
        demand(byte(bytes, offset)? == 0xc6)?;
        let length = big_endian(bytes, offset + 1)?;
        part(bytes, offset + 5, length)?;
        let content = (offset + 5) as usize..(offset + 5 + length) as usize;
        layers.push(Named { name, content });
    }
    Ok(layers)
}

/// Reads a big-endian number that must exist.
fn big_endian(bytes: &[u8], at: i64) -> Step<i64> {
    let bytes = part(bytes, at, size_of::<i32>() as i64)?.first_chunk().ok_or(Stop::Refused)?;
    Ok(i32::from_be_bytes(*bytes).into())
}
