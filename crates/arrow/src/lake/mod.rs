//! Many files at once: their findings, their properties, and their columns, as tables.
//!
//! [`check_batch`] is the basic operation: paths in, rows out. Any engine that distributes paths can call it. [`Lake`] does the same for a
//! list of any length, in bounded memory.
//!
//! ```
//! use arrow_array::StringArray;
//! use ndbytes_arrow::lake::{Options, Table, check_batch};
//!
//! let paths = StringArray::from(vec!["there-is-no-such-file.npy"]);
//! let findings = check_batch(&paths, Table::Findings, &Options::new())?;
//! assert_eq!(findings.num_rows(), 1); // a file that cannot be read is a row, too
//! # Ok::<(), arrow_schema::ArrowError>(())
//! ```
//!
//! # Paths
//!
//! Paths are shown as given. Bytes that are not UTF-8 become U+FFFD. The path of a member of an archive or store is its address:
//! `model.zip!path/to/Schema`.

mod batch;
mod check;
mod examine;
mod judge;
mod known;
mod options;
mod order;
#[cfg(feature = "parquet")]
mod previous;
mod row;
mod schema;
#[cfg(feature = "parquet")]
mod sink;

pub use batch::Rows;
pub use check::{Lake, check_batch, check_batch_by};
pub use examine::{Examined, Examiner};
pub use judge::Judge;
pub use known::{Known, Run};
pub use options::Options;
pub use order::InOrder;
pub use row::{MOST_COLUMNS, MOST_TEXT, UNREADABLE};
pub use schema::Table;
#[cfg(feature = "parquet")]
pub use sink::Sink;
