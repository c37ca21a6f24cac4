//! RawArray: one n-dimensional array behind a header of 64-bit words, column-major.
//!
//! ```
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("a.ra");
//! use ndbytes::rawarray::{self, Order};
//!
//! let array = ndarray::arr2(&[[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0]]);
//! rawarray::write(&path, &array, Order::Fortran)?;
//!
//! let file = rawarray::open(&path)?;
//! assert_eq!(file.dims(), [2, 3]);
//! assert_eq!(file.to_array::<f32>(Order::Fortran)?, array.into_dyn());
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! # Order of the axes
//!
//! A file stores extents and elements; its first axis varies fastest. The same bytes are an array in two ways, both
//! without moving an element, and [`Order`] says which one is meant:
//!
//! * [`Order::Fortran`]: the shape is `dims`, in Fortran order. What Julia calls `a[i+1, j+1]` is `a[[i, j]]`. This is
//!   what the author's own programs mean.
//! * [`Order::C`]: the shape is `dims` reversed, in C order. What Julia calls `a[i+1, j+1]` is `a[[j, i]]`.

mod decode;
mod judge;
mod map;
mod open;
pub(crate) mod rules;
mod write;

pub(crate) use map::byte_map;
pub(crate) use open::examine;
pub use open::{Options, Order, RawArray, from_reader, from_slice, open};
pub use rules::*;
pub use write::{RawArrayElement, Writer, write};
