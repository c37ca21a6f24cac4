//! The whole file: a frame, with or without its chunks.

use super::chunk::ChunkHeader;
use super::frame::{Header, Trailer};
use super::ids::FrameKind;
use binrw::Endian;
use everybyte::{Format, bytes::Region, layout, trace::length_of, view::ByteOrder};

/// A frame. In a sparse frame, the chunks are separate files.
#[layout]
#[brw(big)]
pub struct Frame {
    /// The beginning.
    #[layout(inline)]
    pub header: Header,
    /// The chunks, in any order: the decoded index has their positions.
    #[br(if(header.nbytes.0 > 0 && header.frame_type.kind() == FrameKind::CONTIGUOUS))]
    #[br(args { length: header.cbytes.0 as u64 })]
    pub chunks: Option<Region>,
    /// The index: a chunk that decodes to the position of each chunk.
    #[br(if(header.nbytes.0 > 0))]
    pub index: Option<Chunk>,
    /// The end.
    pub trailer: Trailer,
}

impl Format for Frame {
    const NAME: &'static str = "b2nd";
    const BYTE_ORDER: ByteOrder = ByteOrder::Big;
}

/// A chunk, whose header describes its content.
#[layout]
#[brw(little)]
pub struct Chunk {
    /// The beginning.
    pub header: ChunkHeader,
    /// All other bytes.
    #[br(args { length: (header.cbytes.max(0) as u64).saturating_sub(length_of(&header, Endian::Little)) })]
    pub content: Region,
}
