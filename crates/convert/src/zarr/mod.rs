//! Zarr: stores, their metadata, and the items of their arrays. Reads versions 2 and 3.
//!
//! The formats: <https://zarr-specs.readthedocs.io>. A store is a directory, or a zip archive. An array has metadata
//! and a file per chunk. Missing chunks have the fill value.

pub mod array;
mod base64;
pub mod codecs;
pub mod encode;
pub mod files;
pub mod fill;
pub mod grid;
pub mod meta;
pub mod read_error;
pub mod store;
pub mod types;
