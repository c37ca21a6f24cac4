//! The memory used while the batches of a row group are read.
//!
//! Costs have three lifetimes. Dictionaries last as long as the row group. A page lasts until the next page of its
//! column. Values last as long as the batch that they are in, and a page may reach into the following batch: `carried`
//! is the memory that such a page adds to it.
//!
//! An error that passes through the `parquet` reader loses its type. The reason for a refusal is therefore kept here,
//! and retrieved after the reader returns.

use super::ensure;
use super::unpack::Unpacker;
use crate::error::{Error, Result};
use parquet::basic::Compression;
use std::sync::{Mutex, PoisonError};

/// The memory for the columns of a row group, the memory that is left for them, and their shared decoders.
pub(super) struct RowGroupBudget {
    most: u64,
    taken: Mutex<Usage>,
    /// One unpacker for all columns, since a file may have thousands of columns.
    unpacker: Mutex<Unpacker>,
}

#[derive(Debug, Default)]
struct Usage {
    /// Memory that is used as long as the row group is read: dictionaries.
    lasting: u64,
    /// Memory of the pages that are being read, one per column.
    pages: u64,
    /// The memory of the values of these pages, in bytes.
    carried: u64,
    /// Memory of the decoded bytes of the pages that this batch overlaps.
    values: u64,
    /// The reason why a page was refused. The Parquet reader keeps the text of an error, but not the error.
    refused: Option<Error>,
}

/// The cost of a page: its bytes, and the memory of its values once they are read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cost {
    pub page: u64,
    pub values: u64,
}

impl RowGroupBudget {
    pub fn new(most: u64) -> Self {
        RowGroupBudget { most, taken: Mutex::default(), unpacker: Mutex::default() }
    }

    fn with<T>(&self, change: impl FnOnce(&mut Usage) -> T) -> T {
        change(&mut self.taken.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the number of bytes left.
    pub fn left(&self) -> u64 {
        self.most - self.with(|taken| taken.sum()).min(self.most)
    }

    /// Takes memory for as long as the row group is read.
    pub fn keep(&self, bytes: u64, what: impl FnOnce() -> String) -> Result<()> {
        self.with(|taken| {
            ensure(bytes, self.most.saturating_sub(taken.sum()), what)?;
            taken.lasting += bytes;
            Ok(())
        })
    }

    /// Unpacks a page, as [`Unpacker::unpack`] does.
    pub fn unpack(&self, codec: Compression, before: &[u8], stream: &[u8], size: usize) -> Result<Vec<u8>> {
        let mut unpacker = self.unpacker.lock().unwrap_or_else(PoisonError::into_inner);
        unpacker.unpack(codec, before, stream, size)
    }

    /// Begins a batch, and releases the values of earlier pages.
    pub fn begin_batch(&self) {
        self.with(|taken| taken.values = taken.carried);
    }

    /// Takes memory for a page that follows another page of its column.
    pub fn turn(&self, next: Cost, previous: Cost, what: impl FnOnce() -> String) -> Result<()> {
        self.with(|taken| {
            taken.pages -= previous.page;
            taken.carried -= previous.values;
            let needed = next.page.saturating_add(next.values);
            ensure(needed, self.most.saturating_sub(taken.sum()), what)?;
            taken.pages += next.page;
            taken.carried += next.values;
            taken.values += next.values;
            Ok(())
        })
    }

    /// Keeps the reason why a page was refused.
    pub fn refuse(&self, error: Error) {
        self.with(|taken| drop(taken.refused.replace(error)));
    }

    /// Returns the reason why a page was refused, if one was.
    pub fn refused(&self) -> Option<Error> {
        self.with(|taken| taken.refused.take())
    }
}

impl Usage {
    fn sum(&self) -> u64 {
        self.lasting + self.pages + self.values
    }
}
