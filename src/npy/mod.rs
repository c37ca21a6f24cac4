//! `.npy`, the format of NumPy's `save`: one n-dimensional array after a text header.
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
//! This module supports versions 1 to 3, items of every type that NumPy saves (including structures with subarrays), both axis
//! orders, and both byte orders. The header is a Python dictionary literal, which is parsed, but never evaluated. Arrays of Python
//! objects contain pickles, which run code when they are loaded, so such arrays are refused by name.
//!
//! # What is written
//!
//! [`Writer`] writes arrays of numbers and booleans, in either axis order. [`write_items`] writes items of any type.

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
mod several;
mod step;
mod write;

use crate::format::Format;
use crate::format_driver::FormatDriver;
use everybyte::reference::Book;
use ndbytes_schemas::npy as layout;

pub use open::{Npy, Options, from_reader, from_slice, open};
pub use rules::*;
pub use write::{NpyElement, Writer, write, write_items};

/// The `.npy` driver, which is used by the functions that accept files of any format.
pub(crate) static DRIVER: FormatDriver = FormatDriver {
    format: Format::Npy,
    rules: &[rules::ALL],
    examine: answer::answer,
    info: info::info,
    layouts: ("header little-endian, items as it says", || vec![Book::of::<layout::Npy>()]),
    promise: |_, _| None,
};
