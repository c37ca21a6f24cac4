//! Zarr: stores, their metadata, and the items of their arrays. Versions 2 and 3 are read.
//!
//! The formats: <https://zarr-specs.readthedocs.io>. A store is a folder, or a zip archive. An array has metadata, and a file for
//! each chunk. Chunks that are not there have the fill value.

pub mod array;
mod base64;
pub mod codecs;
pub mod encode;
pub mod files;
pub mod fill;
pub mod flaw;
pub mod grid;
pub mod meta;
pub mod store;
pub mod types;
