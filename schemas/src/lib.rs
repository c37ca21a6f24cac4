//! The layouts of the formats that ndbytes reads: one declaration for each on-disk structure.
//!
//! Every structure is a plain struct or enum with [binrw] attributes, marked [`layout`]. The reader, writer, byte map,
//! field reference and fuzzing values are derived from that declaration: see [`everybyte`].
//!
//! This crate does not open, decompress or judge files. The `ndbytes` crate decides what the bytes *mean*, and which of them a
//! careful reader refuses.
//!
//! ```
//! use everybyte::{Endian, Source, read};
//! use ndbytes_schemas::idx::Idx;
//!
//! let file = [0, 0, 8, 1, 0, 0, 0, 3, 10, 20, 30];
//! let idx: Idx = read(Source::new(&file), Endian::Big, ())?;
//! assert_eq!(idx.dims, [3]);
//! assert_eq!(idx.payload.offset, 8);
//! # Ok::<(), Box<everybyte::ParseError>>(())
//! ```
//!
//! IDX, IDV and b2nd files are also each declared as a single value, so everybyte alone can explain, check and rewrite them:
//!
//! ```
//! use ndbytes_schemas::idv::Idv;
//!
//! let file = b"CML\0DVB\0 and so on";
//! let found = everybyte::check::<Idv>(file);
//! let expected = "truncated: header.compatible_version, at byte 16: 8 bytes are needed here, but only 2 bytes are left";
//! assert_eq!(found[0].to_string(), expected);
//! ```
//!
//! [`layout`]: everybyte::layout

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

pub mod b2nd;
pub mod blosc2;
pub mod gguf;
pub mod gzip;
pub mod idv;
pub mod idx;
pub mod npy;
pub mod rawarray;
pub mod safetensors;
pub mod zip;
