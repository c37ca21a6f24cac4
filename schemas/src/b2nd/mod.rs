//! b2nd: an n-dimensional array in compressed chunks, on top of a Blosc2 frame.
//!
//! A frame is a [`Header`], chunks, an index of the chunks (itself a chunk of 64-bit numbers) and a [`Trailer`]; the
//! chunks of a sparse frame are files of their own. One of the header's metalayers, the [`ArrayLayer`], makes an array
//! of it. A chunk is a [`ChunkHeader`] and a [`ChunkBody`]; where that is made of blocks, each is one [`Stream`] or
//! several. Header and trailer are msgpack of fixed widths, big-endian; chunks are little-endian.
//!
//! Source of the rules: the descriptions that come with C-Blosc2, the files that it writes, and what it does with others.

mod array;
mod chunk;
mod frame;
mod msgpack;

pub use array::{ArrayLayer, DtypeText, InnerShape, METALAYER, OLD_METALAYER, Parts, Shape, Str32};
pub use chunk::{
    BlockFlags, BlockTable, ChunkBody, ChunkContent, ChunkFlags, ChunkHeader, ChunkKind, Codec, Dictionary, Extension,
    Stream, Token,
};
pub use frame::{
    Compression, Content, Directory, Entry, FilterIds, FrameFlags, FrameType, Header, MAGIC, MAGIC_OFFSET, Magic,
    Metalayers, Splitting, Trailer, TrailerTail, WriterFlags, filter_name,
};
pub use msgpack::{
    Array16, AxesHead, Bool, FixExt16, Int16, Int32, Int64, LONGEST_NAME, Map16, Marker, Name, Uint16, Uint32, Uint64,
};
