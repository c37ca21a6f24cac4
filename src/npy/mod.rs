//! `.npy`, the format of NumPy's `save`: one n-dimensional array after a header that is text.
//!
//! ```
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("a.npy");
//! use ndbytes::npy;
//!
//! let array = ndarray::arr2(&[[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0]]);
//! npy::write(&path, &array)?;
//!
//! let file = npy::open(&path)?;
//! assert_eq!(file.shape(), [2, 3]);
//! assert_eq!(file.view::<f32>()?, array.into_dyn());         // no copy
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! # What is read
//!
//! Versions 1 to 3, items of every type that NumPy saves, structures and subarrays in them included, in both orders of axes
//! and of bytes. The header is the literal of a Python dictionary: it is parsed, never evaluated. Arrays of Python objects
//! hold pickles, which run code when they are loaded: they are refused by name.
//!
//! # What is written
//!
//! [`Writer`] writes arrays of numbers and of booleans, in one of the two orders. [`write_items`] writes items of any
//! type.

mod answer;
pub(crate) mod descr;
mod examine;
pub(crate) mod header;
mod info;
pub(crate) mod judge;
mod map;
mod names;
mod open;
pub(crate) mod rules;
mod step;
mod write;

use crate::format::Format;
use crate::room::Room;
use everybyte::Book;
use ndbytes_schemas::npy as layout;

pub use open::{Npy, Options, from_reader, from_slice, open};
pub use rules::*;
pub use write::{NpyElement, Writer, write, write_items};

/// `.npy`, for the functions that take files of any format.
pub(crate) static ROOM: Room = Room {
    format: Format::Npy,
    rules: &[rules::ALL],
    examine: answer::answer,
    info: info::info,
    layouts: ("header little-endian, items as it says", || vec![Book::of::<layout::Npy>()]),
    promise: |_, _| None,
};
