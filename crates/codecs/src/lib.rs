//! Codecs and filters from bytes to bytes: no files, no findings, and no allocation whose size a stream determines.
//!
//! * [`crc32c`]: the checksum of Castagnoli's polynomial;
//! * [`deflate`]: the decoder of flate2, with the errors in broken streams, and the encoders;
//! * [`inflate`]: a faster decoder for streams of known inflated length, two at a time;
//! * [`lz`]: blosclz and LZ4;
//! * [`zstd`]: by the reference implementation or by `ruzstd`;
//! * [`filters`]: the Blosc2 filters, which change the bytes of a block before compression.
//!
//! Nothing here panics, whatever the bytes. An error in a stream is reported with the byte at which it was found.

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
