//! RawArray: one n-dimensional array after a header of 64-bit words, column-major.
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
//! A file stores axis lengths and elements, and its first axis varies fastest. The same bytes can be read as two different arrays
//! without moving any element. [`Order`] specifies which of them you mean:
//!
//! * [`Order::Fortran`]: the shape is `dims`, in Fortran order. Julia's `a[i+1, j+1]` is `a[[i, j]]`. The author's own programs use
//!   this order.
//! * [`Order::C`]: the shape is `dims` reversed, in C order. Julia's `a[i+1, j+1]` is `a[[j, i]]`.

mod answer;
mod decode;
mod examine;
mod info;
pub(crate) mod judge;
mod map;
mod open;
pub(crate) mod rules;
mod write;

use crate::format::Format;
use crate::format_driver::FormatDriver;
use everybyte::reference::Book;
use ndbytes_schemas::rawarray as layout;

pub use open::{Options, Order, RawArray, from_reader, from_slice, open};
pub use rules::*;
pub use write::{RawArrayElement, Writer, write};

/// The RawArray driver, which is used by the functions that accept files of any format.
pub(crate) static DRIVER: FormatDriver = FormatDriver {
    format: Format::RawArray,
    rules: &[rules::ALL],
    examine: answer::answer,
    info: info::info,
    layouts: ("little-endian, or all of it big-endian", || vec![Book::of::<layout::RawArray>()]),
    promise: |_, _| None,
};
