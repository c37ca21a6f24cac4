//! IDV: ML.NET's binary dataview, a table in blocks of columns, little-endian.
//!
//! A file is a [`Header`], which points to the table of [`Columns`] and to the [`Tail`]. Each [`Column`] points to its
//! [`Annotations`] and to its [`Lookup`] table, which points to its blocks. The decompressed content of a block is a [`Block`],
//! whose structure is determined by the column's [`Codec`]. All offsets are relative to the first byte of the header. [`Idv`] is
//! all of this as one value, except for the contents of blocks.
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
