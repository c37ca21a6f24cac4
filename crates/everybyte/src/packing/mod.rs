//! Ways in which content is packed, for `#[layout(opens(Zlib as Rows))]`. Feature `packing` has those of deflate; others implement
//! [`Packing`].

mod codec;
#[cfg(feature = "packing")]
mod deflate;

pub use codec::{Codec, Packing, Unpacked};
#[cfg(feature = "packing")]
pub use deflate::{Deflate, Gzip, Zlib};
