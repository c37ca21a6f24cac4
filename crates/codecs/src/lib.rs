//! Codecs and filters, bytes to bytes: no files, no findings, no allocation that a stream decides about.
//!
//! * [`crc32c`]: the checksum of Castagnoli's polynomial;
//! * [`deflate`]: streams by flate2, with the flaws of broken ones, and the encoders;
//! * [`inflate`]: streams of a known inflated length, two at a time, faster;
//! * [`lz`]: blosclz and LZ4;
//! * [`zstd`]: by the reference implementation or by `ruzstd`;
//! * [`filters`]: the filters of Blosc2, which change the bytes of a block before they are compressed.
//!
//! Nothing here panics, whatever the bytes. A flaw of a stream is reported with the byte where it was found.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod branch;
mod broken;
pub mod crc32c;
pub mod deflate;
pub mod filters;
pub mod inflate;
pub mod lz;
pub mod zstd;

pub use broken::BrokenStream;
