//! The memory that is taken while the batches of a row group are read.

use super::ensure;
use super::unpack::Unpacker;
use crate::error::{Error, Result};
use parquet::basic::Compression;
use std::sync::{Mutex, PoisonError};

/// The bytes that the columns of a row group take, those that are left for them, and the decoders that they share.
pub(super) struct Purse {
    most: u64,
    taken: Mutex<Taken>,
    /// One for all columns: a file may have thousands of them.
    unpacker: Mutex<Unpacker>,
}

#[derive(Debug, Default)]
struct Taken {
    /// For as long as the row group is read: dictionaries.
    lasting: u64,
    /// The pages that are being read, one a column.
    pages: u64,
    /// The bytes that the values of these pages come to.
    carried: u64,
    /// The bytes that the values of the pages come to of which this batch has some.
    values: u64,
    /// Why a page was refused. The reader of Parquet keeps the words of an error, but not the error.
    refused: Option<Error>,
}

/// The cost of a page: its bytes, and its values when they are read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cost {
    pub page: u64,
    pub values: u64,
}

impl Purse {
    pub fn new(most: u64) -> Self {
        Purse { most, taken: Mutex::default(), unpacker: Mutex::default() }
    }

    fn with<T>(&self, change: impl FnOnce(&mut Taken) -> T) -> T {
        change(&mut self.taken.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Bytes that are left.
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

    /// Begins a batch: the values of earlier pages are gone.
    pub fn begin_batch(&self) {
        self.with(|taken| taken.values = taken.carried);
    }

    /// Takes memory for a page that follows another one of its column.
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

    /// The reason why a page was refused, if one was.
    pub fn refused(&self) -> Option<Error> {
        self.with(|taken| taken.refused.take())
    }
}

impl Taken {
    fn sum(&self) -> u64 {
        self.lasting + self.pages + self.values
    }
}
