//! Files of Parquet and Arrow, whose claims are judged before their readers allocate by them.
//!
//! The readers of Parquet and Arrow believe what a file says: lengths of pages and blocks, numbers of values, lengths after
//! decompression. Here, whatever can be judged beforehand is held against the length of the file and the memory that is granted:
//!
//! * **Parquet.** The elements of the footer are counted before it becomes a structure in memory ([`footer`]). The
//!   heads of pages are read here, and pages are unpacked here ([`pages`], [`unpack`]): several codecs of the crate
//!   unpack more than a page announces. The longest entry of a dictionary times the rows of a batch bounds what it can
//!   become. So it decides how many rows a batch has ([`group`]). What values of lists come to is added up page by page
//!   while a batch is read ([`purse`]).
//! * **Arrow.** Blocks and messages are found here, and their bodies are read here ([`blocks`]). The lengths of buffers after
//!   decompression are added up before the body is decoded ([`message`]).
//!
//! The grant is the limit on memory and the length of the file. Half of it is for what is read, the other half for what is
//! made of it: writers hold a copy of a batch.
//!
//! Arrow's reader still judges the content: offsets, UTF-8, indices. Its panics become errors.

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
mod purse;
mod schema;
#[cfg(feature = "parquet")]
pub(crate) mod thrift;
#[cfg(feature = "parquet")]
mod unpack;

use crate::error::{Error, Result};
use ndbytes::Limits;

/// Rows of a batch that is read from Parquet.
#[cfg(feature = "parquet")]
pub(crate) const ROWS_READ: usize = 16_384;

/// The bytes that a reader may take for a file of this length.
pub(crate) fn granted(limits: &Limits, length: u64) -> u64 {
    limits.memory.saturating_add(length) / 2
}

/// Refuses to take more than is left.
pub(crate) fn ensure(needed: u64, left: u64, what: impl FnOnce() -> String) -> Result<()> {
    if needed > left { Err(Error::Memory { what: what(), needed, left }) } else { Ok(()) }
}
