//! The layouts: one declaration for each on-disk structure of the formats that ndbytes reads.
//!
//! Every structure is a plain struct or enum with [binrw] attributes, marked [`layout`]. That one declaration gives
//! reader, writer, byte map, field reference and fuzzing values: see [`everybyte`].
//!
//! The crate opens no files, decompresses nothing and judges nothing. The crate `ndbytes` decides what the bytes
//! *mean*, and which of them a careful reader refuses.
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
//! [`layout`]: everybyte::layout

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

pub mod b2nd;
pub mod blosc2;
pub mod gzip;
pub mod idv;
pub mod idx;
pub mod npy;
pub mod rawarray;
pub mod zip;
