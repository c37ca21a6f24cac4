//! A frame whose structures could be read, and the positions of its parts.
//!
//! Such a frame comes from [`read_frame`](super::read_frame::read_frame), which checks that lengths are not negative and that all
//! parts are inside the file and in order. The methods below therefore compute positions without further checks, except that each
//! offset from the index is checked.

use super::chunk::header::{Chunk, Expected, LONGEST_HEADER};
use super::index::Index;
use super::repair::trace_repaired;
use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use everybyte::map::Nodes;
use everybyte::{BinRead, Layout, Source};
use ndbytes_schemas::blosc2::{FrameKind, Header, Trailer};
use std::ops::Range;

/// The maximum number of chunks that C-Blosc2 accepts, because its index has 8 bytes per chunk, and its length must fit in 31 bits.
/// If there are more, the `b2nd/chunk-count` rule is violated.
pub const MOST_CHUNKS: u64 = (1 << 28) - 1;

/// The space of the decoded index.
pub const INDEX_SPACE: u32 = 1;

/// A frame whose structures could be read.
#[derive(Debug)]
pub struct Frame {
    pub header: Header,
    /// The length of the header in bytes. The chunks of a contiguous frame begin after it.
    pub header_length: u64,
    /// The position of each metalayer's content, in the order of the names: first those in the header, then those in the trailer.
    pub metalayer_places: Vec<Range<u64>>,
    pub attribute_places: Vec<Range<u64>>,
    /// The trailer; `None` if it could not be read.
    pub trailer: Option<Trailer>,
    pub trailer_place: Range<u64>,
    /// The position of the index; empty if there is none.
    pub index_place: Range<u64>,
    pub index_chunk: Option<Chunk>,
    pub index: Index,
}

impl Frame {
    /// The range of bytes for chunks in a contiguous frame.
    pub fn chunks_place(&self) -> Range<u64> {
        self.header_length..self.index_place.start
    }

    /// The range of bytes available to the chunk at this offset; `None` if not even a header fits.
    pub fn chunk_place(&self, at: u64) -> Option<Range<u64>> {
        let Range { start, end } = self.chunks_place();
        let start = start.checked_add(at)?;
        (start.checked_add(LONGEST_HEADER)? <= end).then_some(start..end)
    }

    /// The properties that a chunk must have, which are known before it is read. `block_count` is known if the frame is an array.
    pub fn expected(&self, chunk: u64, block_count: Option<u64>) -> Expected {
        Expected {
            nbytes: Some(self.chunk_bytes(chunk)),
            item_size: Some(self.item_size()),
            block_size: u64::try_from(self.header.blocksize.0).ok().filter(|&size| size > 0),
            block_count,
        }
    }

    /// The decoded length of a chunk in bytes. Only the last chunk of a frame may be shorter than the others; in an array, all
    /// chunks are equally long.
    pub fn chunk_bytes(&self, chunk: u64) -> u64 {
        let Header { nbytes, chunksize, .. } = &self.header;
        let (all, each) = (nbytes.0.unsigned_abs(), chunksize.0.unsigned_abs().into());
        all.saturating_sub(chunk.saturating_mul(each)).min(each)
    }

    /// The position of a metalayer's content in the header; `None` if no metalayer has this name.
    pub fn metalayer(&self, name: &[u8]) -> Option<Range<u64>> {
        let mut names = self.header.metalayers.directory.entries.iter();
        let number = names.position(|entry| entry.name.bytes() == name)?;
        self.metalayer_places.get(number).cloned()
    }

    /// Returns whether some chunks are at unknown positions, because the chunks of objects other than arrays may differ in length.
    pub fn has_unknown_chunks(&self) -> bool {
        self.index_chunk.is_none() && self.header.nbytes.0 > 0
    }

    /// Returns whether the chunks are files in a directory.
    pub fn is_sparse(&self) -> bool {
        self.header.frame_type.kind() == FrameKind::SPARSE
    }

    /// The size of an item in bytes.
    pub fn item_size(&self) -> u64 {
        self.header.typesize.0.unsigned_abs().into()
    }

    /// The number of metalayers in the trailer.
    pub fn attribute_count(&self) -> usize {
        self.attribute_places.len()
    }

    /// The space of a decoded metalayer of the trailer.
    pub fn attribute_space(&self, number: usize) -> u32 {
        (u64::from(INDEX_SPACE) + 1 + number as u64).min(u32::MAX.into()) as u32
    }

    /// The space of a stored chunk: the file or, in a sparse frame, a separate file.
    pub fn stored_space(&self, chunk: u64) -> u32 {
        if self.is_sparse() { self.space_behind_attributes(chunk.saturating_mul(2)) } else { 0 }
    }

    /// The space of a decoded chunk.
    pub fn decoded_space(&self, chunk: u64) -> u32 {
        self.space_behind_attributes(chunk.saturating_mul(2).saturating_add(1))
    }

    /// The number of the first space after the index and the attributes.
    fn space_behind_attributes(&self, number: u64) -> u32 {
        (u64::from(INDEX_SPACE) + 1 + self.attribute_count() as u64).saturating_add(number).min(u32::MAX.into()) as u32
    }
}

/// The fields of the header, with corrected markers.
pub fn header_nodes(input: &Input<'_>) -> Nodes {
    input.trace_header(trace_repaired::<Header>)
}

/// The fields of a trailer, or of a part of it, with corrected markers; none if it cannot be read.
pub fn trailer_nodes<T>(input: &Input<'_>, place: &Range<u64>) -> Nodes
where
    T: Layout + for<'a> BinRead<Args<'a> = ()>,
{
    let copy = Debit::new(input.budget());
    let copied = copy.take(place.end - place.start, "a trailer").and_then(|()| input.copied(place));
    match copied {
        Ok(bytes) => trace_repaired::<T>(Source::window(&bytes, place.start, place.end)),
        Err(_) => {
            let mut nodes = Nodes::new();
            nodes.leaf("trailer", place.clone()).add();
            nodes
        }
    }
}
