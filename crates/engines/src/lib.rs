//! SQL over IDX, RawArray, IDV, b2nd and `.npy` files: DataFusion on one machine, Ballista on many.
//!
//! | function | rows |
//! |---|---|
//! | `idv('sales/*.idv')` | those of the tables, one after the other |
//! | `array('grids/*.b2nd')` | an item each: its indices and its value |
//! | `array('x.b2nd', 'rows')` | a list each: what lies along the first axis |
//! | `findings('lake')` | a finding each, of all files below a folder |
//! | `files('lake')` | a file each: what it is, and its verdict |
//! | `columns('lake')` | a column each, of all tables |
//! | `ndbytes_check(path)` | a scalar function: the findings of a file as a list, for paths that stand in a table |
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
//! A plan that runs elsewhere takes plain data along: a [`source::Source`], and a list of [`pieces::Piece`]s.

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
