//! IDV: ML.NET's binary dataview, a table in blocks of columns.
//!
//! ```no_run
//! use ndbytes::{Limits, idv};
//!
//! let table = idv::open("iris.idv")?;
//! for column in table.columns() {
//!     println!("{}: {}", column.name(), column.column_type().map_or_else(|| column.codec(), ToString::to_string));
//! }
//! let features = table.column("Features")?.read()?.to_dense::<f32>(&Limits::default())?;
//!
//! let label = table.column("Label")?;
//! let species = label.key_values()?;                        // the values of the categories
//! let first = label.read_rows(0..10)?.items().category(0);  // a place among them, or `None` if it is missing
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! # What is read
//!
//! Opening a file reads and checks its tables. A block is read, decompressed and checked when its values are requested.
//! A whole column is read ([`Column::read`]), some rows of it, one block, or several columns block by block in the same
//! memory ([`Table::batches`]). Decoding runs in the threads of the current rayon pool. Several files with the same
//! columns are one table: [`Tables`]. A path may lead into a model archive: `model.zip!TransformerChain/TrainSchema`.
//!
//! # Values
//!
//! [`Values`] hold items of one type and, for columns of vectors, their division into vectors, dense or sparse as they are
//! stored. Files up to version 1.1.1.5 can mark a value as missing: the least number of a signed type, a missing text, a
//! third boolean value. Such a value is [`Value::Null`], and the item in its place a default. From version 1.1.1.6 on, only
//! NaN and the key 0 are missing values.
//!
//! A text may begin or end with half of a character that takes two UTF-16 units, because .NET cuts texts between units.
//! For such a text, [`Text::to_str`] gives `None`, [`Text::to_string_lossy`] a mark in the place of the half, and
//! [`Text::utf16`] all units.

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
use crate::room::Room;
pub use column::{Annotation, Column};
use everybyte::Book;
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

/// IDV, for the functions that take files of any format.
pub(crate) static ROOM: Room = Room {
    format: Format::Idv,
    rules: &[rules::ALL],
    examine: examine::examine,
    info: info::info,
    layouts: ("little-endian", || vec![Book::of::<layout::Idv>(), Book::of::<layout::Block>()]),
    promise: |_, _| None,
};
