//! SQL over IDX, RawArray, IDV, b2nd, `.npy`, safetensors and GGUF files: DataFusion on one machine, Ballista on many.
//!
//! | function | rows |
//! |---|---|
//! | `idv('sales/*.idv')` | the rows of the tables, one table after another |
//! | `array('grids/*.b2nd')` | one per item: its indices and its value |
//! | `array('x.b2nd', 'rows')` | one per index of the first axis, with a list of items |
//! | `findings('lake')` | one per finding, for all files below a directory |
//! | `files('lake')` | one per file: its format and its verdict |
//! | `columns('lake')` | one per column of each table |
//! | `ndbytes_check(path)` | a scalar function: the findings of a file as a list, for paths in a table |
//!
//! ```
//! # async fn run() -> datafusion::error::Result<()> {
//! let context = datafusion::prelude::SessionContext::new();
//! ndbytes_engine::register(&context, &ndbytes_engine::Settings::default());
//! let frame = context.sql("SELECT rule, count(*) FROM findings('uploads') GROUP BY rule").await?;
//! frame.show().await?;
//! # Ok(())
//! # }
//! ```
//!
//! A plan that runs elsewhere carries plain data: a [`source::Source`], and a list of [`pieces::Piece`]s.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod check;
pub mod cli;
#[cfg(feature = "cluster")]
pub mod cluster;
#[cfg(feature = "cluster")]
pub mod codecs;
mod exec;
mod filters;
mod functions;
mod intervals;
mod named;
mod paths;
pub mod pieces;
mod read;
mod scan;
mod show;
pub mod source;
pub mod stores;
mod table;
mod told;

pub use functions::{Settings, register};
pub use told::message;
