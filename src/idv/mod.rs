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
//! let species = label.key_values()?;                        // what the categories stand for
//! let first = label.read_rows(0..10)?.items().category(0);  // a place among them, or none where it is missing
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! # What is read
//!
//! Opening a file reads and checks its tables; a block is read, decompressed and checked when its values are asked for: a
//! whole column ([`Column::read`]), some rows of it, one block, or several columns block by block in the same memory
//! ([`Table::batches`]). Decoding runs in the threads of the current rayon pool. Several files with the same columns
//! are one table: [`Tables`]. A path may lead into a model archive: `model.zip!TransformerChain/TrainSchema`.
//!
//! # Values
//!
//! [`Values`] hold items of one type, and for columns of vectors how these make up vectors, dense or sparse as they are
//! stored. Files up to version 1.1.1.5 can say that a value is missing: the least number of a signed type, a missing
//! text, a third truth value. Such a value is [`Value::Null`], and the item in its place a default. From version 1.1.1.6
//! on nothing is missing, but for NaN and the key 0.
//!
//! A text may begin or end with half of a character that takes two UTF-16 units, because .NET cuts texts between units.
//! [`Text::to_str`] gives such a text as nothing, [`Text::to_string_lossy`] with a mark in the place of the half, and
//! [`Text::utf16`] as it is.

mod annotations;
mod batches;
mod blocks;
mod decode;
mod dense;
mod encode;
mod examine;
mod header;
mod items;
mod lookup;
mod make;
mod map;
mod names;
pub(crate) mod rules;
mod sections;
mod stream;
mod structure;
mod table;
mod tables;
mod texts;
mod types;
mod values;
mod write;

pub use batches::{Batch, Batches};
pub(crate) use examine::findings;
pub use items::{DateTimeOffset, DenseItem, Items, Nulls};
pub(crate) use map::byte_map;
pub use ndbytes_schemas::idv::Compression;
pub use rules::*;
pub use table::{Annotation, Column, Options, Table, from_reader, from_slice, open};
pub use tables::{Tables, open_all};
pub use texts::{Text, Texts};
pub use types::{ColumnType, ItemType, KeyType};
pub use values::{Value, Values, Vector};
pub use write::{File, NewColumn, TableWriter, Writer};
