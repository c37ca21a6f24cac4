//! IDV, ML.NET's binary dataview: a table whose columns are stored in blocks.
//!
//! ```
//! use ndbytes::{Limits, idv};
//!
//! let table = idv::open("samples/trees.idv")?;
//! for column in table.columns() {
//!     println!("{}: {}", column.name(), column.column_type().map_or_else(|| column.codec(), ToString::to_string));
//! }
//! let features = table.column("Features")?.read()?.to_dense::<f32>(&Limits::default())?;
//! assert_eq!(features.dim(), (4, 3));
//!
//! let label = table.column("Label")?;
//! let kinds = label.key_values()?.unwrap();                 // the values of the categories
//! let first = label.read_rows(0..2)?.items().category(0);   // a place among them, or `None` if it is missing
//! assert_eq!((kinds.vector(0).unwrap().len(), first), (2, Some(0)));
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! # What is read
//!
//! Opening a file reads and checks its tables. A block is read, decompressed and checked when its values are requested. You can
//! read a whole column ([`Column::read`]), some of its rows, a single block, or several columns block by block, reusing the same
//! memory ([`Table::batches`]). Decoding uses the threads of the current rayon pool. Several files with the same columns can be
//! read as one table: [`Tables`]. A path may point into a model archive: `model.zip!TransformerChain/TrainSchema`.
//!
//! # Values
//!
//! [`Values`] contain items of one type. For columns of vectors, they also contain the division into vectors, which are dense or
//! sparse as stored. Files up to version 1.1.1.5 can mark a value as missing with the smallest number of a signed type, with a
//! missing text, or with a third boolean value. Such a value is [`Value::Null`], and the stored item is a default. From version
//! 1.1.1.6 on, only NaN and the key 0 are missing values.
//!
//! A text may begin or end with half of a character that consists of two UTF-16 units, because .NET can cut texts between units.
//! For such a text, [`Text::to_str`] returns `None`, [`Text::to_string_lossy`] replaces the half, and [`Text::utf16`] returns all
//! units.

mod column;
mod entries;
mod examine;
mod info;
mod judge;
mod map;
mod open;
mod paths;
mod payload;
mod read;
pub(crate) mod rules;
mod sections;
mod structure;
mod table;
mod tables;
mod tolerance;
mod values;
mod write;

use crate::format::Format;
use crate::format_driver::FormatDriver;
pub use column::{Annotation, Column};
use everybyte::reference::Book;
use ndbytes_schemas::idv as layout;
pub use ndbytes_schemas::idv::Compression;
pub use open::{Options, from_reader, from_slice, open};

pub use read::batches::{Batch, Batches};
pub use read::portions::{Portion, Portions};
pub use rules::*;
pub use table::Table;
pub use tables::{Tables, open_all};
pub use values::items::{DateTimeOffset, DenseItem, Items, Nulls};
pub use values::layout::Layout;
pub use values::texts::{Text, Texts};
pub use values::types::{ColumnType, ItemType, KeyType};
pub use values::{Value, Values, Vector};
pub use write::{NewColumn, NewFile, TableWriter, Writer};

/// The IDV driver, which is used by the functions that accept files of any format.
pub(crate) static DRIVER: FormatDriver = FormatDriver {
    format: Format::Idv,
    rules: &[rules::ALL],
    examine: examine::examine,
    info: info::info,
    layouts: ("little-endian", || vec![Book::of::<layout::Idv>(), Book::of::<layout::Block>()]),
    promise: |_, _| None,
};
