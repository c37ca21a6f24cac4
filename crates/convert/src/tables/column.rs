//! Columns made from arrays.

use crate::error::{Error, Result};
use crate::options::Options;
use arrow_array::ArrayRef;
use arrow_schema::FieldRef;
use ndbytes_arrow::tensors::TensorColumn;
use std::sync::Arc;

/// A column made from an array.
pub trait Column {
    /// Its field.
    fn field(&self) -> FieldRef;

    /// Returns the length of a row of the array in bytes.
    fn row_bytes(&self) -> u64;

    /// Converts rows from their bytes.
    fn array(&self, bytes: Vec<u8>, options: &Options<'_>) -> Result<ArrayRef>;
}

impl Column for TensorColumn {
    fn field(&self) -> FieldRef {
        Arc::clone(TensorColumn::field(self))
    }

    fn row_bytes(&self) -> u64 {
        TensorColumn::row_bytes(self)
    }

    fn array(&self, bytes: Vec<u8>, _: &Options<'_>) -> Result<ArrayRef> {
        let name = TensorColumn::field(self).name();
        TensorColumn::array(self, bytes).map_err(|error| Error::of_table(error, name))
    }
}
