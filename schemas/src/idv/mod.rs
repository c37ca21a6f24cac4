//! IDV: ML.NET's binary dataview, a table in blocks of columns, little-endian.
//!
//! A file is a [`Header`], which says where the table of [`Columns`] and the [`Tail`] stand. Each [`Column`] says where
//! its [`Lookup`] table stands, which says where its blocks stand, and where its [`Annotations`] do. The content of a
//! block, after decompression, is a [`Block`], of the shape that the column's [`Codec`] gives it. All offsets count from
//! the first byte of the header. [`Idv`] is all of it in one value, but for the contents of blocks.
//!
//! Source of the rules: the published description of the format, and ML.NET's `BinaryLoader` and `BinarySaver`.

mod block;
mod codec;
mod file;
mod net_string;
mod whole;

pub use block::{Block, Items, Scalars, Vectors};
pub use codec::{Codec, DEEPEST_CODEC, Key, OldKey, Parameters, SIMPLE_CODECS, Storage, VectorOf};
pub use file::{
    Annotation, Annotations, BlockEntry, Column, Columns, Compression, Header, Lookup, Slot, SlotNames,
    SlotNamesExtent, Tail, Version,
};
pub use net_string::{NetString, net_text};
pub use whole::{ColumnParts, Idv};
