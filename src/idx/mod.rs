//! IDX, the format of the MNIST files: one n-dimensional array, big-endian, row-major.
//!
//! ```
//! # let file = [0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6];
//! let images = ndbytes::idx::from_slice(&file)?;             // or `open(path)`, mapped
//! assert_eq!(images.shape(), [2, 3]);
//! let view = images.view::<u8>()?;                           // no copy
//! assert_eq!(view[[1, 2]], 6);
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! Files inside gzip are read as they are. Everything is refused that breaks the format; what may be tolerated has to be
//! asked for, one tolerance at a time, in [`Options`].

mod examine;
mod map;
mod open;
pub(crate) mod rules;
mod stream;
mod write;

pub(crate) use examine::examine;
pub(crate) use map::byte_map;
pub(crate) use open::dtype;
pub use open::{Idx, Items, Leniency, Options, from_reader, from_slice, open};
pub use rules::*;
pub use stream::StreamWriter;
pub use write::{IdxElement, Writer, write};
