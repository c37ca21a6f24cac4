//! Parquet and Arrow files, whose claims are checked before their readers allocate memory for them.
//!
//! The Parquet and Arrow readers trust what a file states: lengths of pages and blocks, numbers of values, and lengths after
//! decompression. Here, whatever can be checked beforehand is checked against the length of the file and the memory limit:
//!
//! * **Parquet.** The elements of the footer are counted before it becomes a structure in memory ([`footer`]). The
//!   heads of pages are read here, and pages are unpacked here ([`pages`], [`unpack`]), because several codecs of the
//!   crate unpack more than a page announces. The longest entry of a dictionary, times the rows of a batch, bounds
//!   the size of the decoded values, and therefore determines how many rows a batch has ([`group`]). The memory for
//!   values of lists is added up page by page while a batch is read ([`row_group_budget`]).
//! * **Arrow.** Blocks and messages are found here, and their bodies are read here ([`blocks`]). The lengths of buffers after
//!   decompression are added up before the body is decoded ([`message`]).
//!
//! The budget is the limit on memory plus the length of the file. Half of it is for the data that is read, and the other
//! half for what is produced from it, since writers keep a copy of a batch.
//!
//! Arrow's reader still checks the content: offsets, UTF-8 and indices. Its panics become errors.

pub(crate) mod blocks;
#[cfg(feature = "parquet")]
mod delta;
#[cfg(feature = "parquet")]
mod footer;
#[cfg(feature = "parquet")]
mod group;
mod message;
#[cfg(feature = "parquet")]
pub(crate) mod page_head;
#[cfg(feature = "parquet")]
mod pages;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
#[cfg(feature = "parquet")]
mod row_group_budget;
mod schema;
#[cfg(feature = "parquet")]
pub(crate) mod thrift;
#[cfg(feature = "parquet")]
mod unpack;

use crate::error::{Error, Result};
use ndbytes::Limits;

/// The number of rows in a batch that is read from Parquet.
#[cfg(feature = "parquet")]
pub(crate) const ROWS_READ: usize = 16_384;

/// Returns the memory that a reader may use for a file of this length.
pub(crate) fn granted(limits: &Limits, length: u64) -> u64 {
    limits.memory.saturating_add(length) / 2
}

/// Fails if more memory is needed than is left.
pub(crate) fn ensure(needed: u64, left: u64, what: impl FnOnce() -> String) -> Result<()> {
    if needed > left { Err(Error::Memory { what: what(), needed, left }) } else { Ok(()) }
}
