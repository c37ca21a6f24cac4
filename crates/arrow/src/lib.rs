//! Converts IDV tables to Arrow record batches and back, and reports findings about many files as tables.
//!
//! ```
//! # use ndbytes::idv::{ColumnType, ItemType, NewColumn, Values, Writer};
//! # let folder = tempfile::tempdir().unwrap();
//! # let (path, again) = (folder.path().join("iris.idv"), folder.path().join("again.idv"));
//! # let mut file = Writer::new([NewColumn::new("Features", ColumnType::vector(ItemType::F32, [2]))]).create(&path)?;
//! # file.write(&[Values::dense(vec![0.5_f32, 1.5, 2.5, 3.5], 2)?])?;
//! # file.finish()?;
//! use ndbytes_arrow::{idv, table};
//!
//! let iris = table::ArrowTable::open(&path, table::Options::new())?;
//! for batch in iris.batches()? {
//!     println!("{:?}", batch?.column_by_name("Features"));
//! }
//! let rows = idv::write(&again, iris.batches()?, idv::WriteOptions::new())?; // and back
//! assert_eq!(rows, iris.rows());
//! # Ok::<(), ndbytes_arrow::Error>(())
//! ```
//!
//! | feature | what it adds |
//! |---|---|
//! | `ffi` | `table::ArrowTable::stream` and `Validated`: the C stream, to and from other languages |
//! | `ipc` | `ipc`: Arrow's own files and streams |
//! | `parquet` | `parquet`: Parquet files |
//! | `lake` | `lake`: many files at once |
//!
//! Nothing in a file makes this crate panic, or allocate more than [`ndbytes::Limits`] allow. The claims of Arrow and Parquet files
//! are checked before third-party readers use them for allocations, and panics of these readers become errors. Only
//! [`ipc::read_stream`] trusts the claims of a stream. Arrays from a C stream are checked by `Validated` before they are used;
//! [`idv::write`] trusts the arrays that it receives.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

pub(crate) mod annotations;
#[cfg(feature = "ipc")]
mod bounded;
pub(crate) mod choices;
#[cfg(feature = "parquet")]
mod coerced;
pub mod ctable;
mod error;
#[cfg(feature = "ipc")]
mod guarded;
pub mod idv;
#[cfg(feature = "ipc")]
mod input;
#[cfg(feature = "ipc")]
pub mod ipc;
#[cfg(feature = "lake")]
pub mod lake;
#[cfg(feature = "ipc")]
mod memory;
pub mod metadata;
#[cfg(any(feature = "ffi", feature = "ipc"))]
mod panics;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod table;
pub mod tensors;
pub(crate) mod ticks;
#[cfg(feature = "ffi")]
mod validated;

pub use error::{Error, Result};
#[cfg(feature = "ipc")]
pub use input::InputReader;
pub use ticks::EPOCH as TICKS_OF_1970;
#[cfg(feature = "ffi")]
pub use validated::Validated;
