//! Compression methods for `#[layout(opens(Zlib as Rows))]`. The feature `packing` adds methods based on deflate. For others,
//! implement [`Packing`].

#[cfg(feature = "packing")]
mod deflate;
mod stream;

pub use crate::codec::{Codec, Packing, Unpacked};
#[cfg(feature = "packing")]
pub use deflate::{Deflate, Gzip, Zlib};
pub use stream::{Stream, stream};
