//! zstd streams: by the reference implementation (feature `zstd`), or in pure Rust.

mod frames;
#[cfg(feature = "zstd")]
mod reference;
#[cfg(not(feature = "zstd"))]
mod rust;

#[cfg(feature = "zstd")]
pub use reference::{Decoder, Encoder};
#[cfg(not(feature = "zstd"))]
pub use rust::{Decoder, Encoder};
