//! zstd streams: by the reference implementation (feature `zstd`), or in Rust alone.

use crate::BrokenStream;

#[cfg(feature = "zstd")]
mod reference;
#[cfg(not(feature = "zstd"))]
mod rust;

#[cfg(feature = "zstd")]
pub use reference::{Decoder, Encoder};
#[cfg(not(feature = "zstd"))]
pub use rust::{Decoder, Encoder};

/// A stream whose first frame ends at this byte, although all of its bytes are decoded.
fn another_frame(at: usize) -> BrokenStream {
    BrokenStream::ends_early(at, "another frame follows the first one")
}
