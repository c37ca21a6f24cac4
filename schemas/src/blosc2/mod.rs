//! Blosc2: compressed chunks of bytes in a frame.
//!
//! A frame is a [`Header`], chunks, an index of the chunks (itself a chunk of 64-bit numbers) and a [`Trailer`]. The
//! chunks of a sparse frame are separate files. A chunk is a [`ChunkHeader`] and a [`ChunkBody`]; a body of blocks has
//! one or more [`Stream`]s per block. The header and trailer are fixed-width msgpack, big-endian; chunks are
//! little-endian. [`Frame`] is a whole frame as one value, with the chunks as bytes.
//!
//! Source of the rules: the descriptions that come with C-Blosc2, the files that it writes, and the files that it reads.

mod chunk;
pub mod folder;
mod frame;
mod ids;
mod index;
mod msgpack;
mod whole;

pub use chunk::{
    BlockFlags, BlockTable, ChunkBody, ChunkContent, ChunkFlags, ChunkHeader, ChunkKind, Dictionary, Extension, Stream,
    Token,
};
pub use frame::{
    Compression, Content, Directory, Entry, FrameFlags, FrameType, Header, Magic, Metalayers, Splitting, Trailer,
    TrailerTail, WriterFlags,
};
pub use ids::{
    ChunkVersion, Codec, FILTER_SLOTS, FilterId, FilterIds, FrameKind, FrameVersion, OffsetWidth, Special, SplitMode,
    StreamFormat,
};
pub use index::{Index, IndexEntry, StoredEntry};
pub use msgpack::{
    Array16, AxesHead, Bool, FixExt16, Int16, Int32, Int64, LONGEST_NAME, Map16, Marker, Name, Uint16, Uint32, Uint64,
};
pub use whole::{Chunk, Frame};
