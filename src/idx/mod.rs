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
//! A file that violates the format is refused. Exceptions must be enabled one by one in [`Options`].

mod elements;
mod examine;
mod info;
mod map;
mod open;
pub(crate) mod rules;
mod stream;
mod write;

use crate::format::Format;
use crate::format_driver::FormatDriver;
pub(crate) use elements::header_of;
use everybyte::reference::Book;
use ndbytes_schemas::idx as layout;
pub(crate) use open::dtype;

pub use elements::IdxElement;
pub use open::{Idx, ItemViews, Options, from_reader, from_slice, open};
pub use rules::*;
pub use stream::StreamWriter;
pub use write::{Writer, write};

/// The IDX driver, which is used by the functions that accept files of any format.
pub(crate) static DRIVER: FormatDriver = FormatDriver {
    format: Format::Idx,
    rules: &[rules::ALL],
    examine: map::answer,
    info: info::info,
    layouts: ("big-endian", || vec![Book::of::<layout::Idx>()]),
    promise: examine::promise,
};
