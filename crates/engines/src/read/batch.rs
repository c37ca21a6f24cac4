//! Batches and their receiver.

use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions};
use datafusion::arrow::datatypes::Schema;
use datafusion::common::{DataFusionError, Result};
use std::sync::Arc;

/// The receiver of batches; it says whether more are wanted.
pub type Send<'s> = &'s mut dyn FnMut(RecordBatch) -> bool;

/// An error of a file, with its path.
pub fn failed(path: &str, error: ndbytes::Error) -> DataFusionError {
    match error {
        // It names its path.
        error @ ndbytes::Error::Io { path: Some(_), .. } => DataFusionError::External(Box::new(error)),
        error => DataFusionError::External(format!("{path}: {error}").into()),
    }
}

/// A batch of some columns, which may be none.
pub fn batch(full: &Schema, columns: Option<&[usize]>, rows: usize, arrays: Vec<ArrayRef>) -> Result<RecordBatch> {
    let schema = match columns {
        Some(columns) => full.project(columns)?,
        None => full.clone(),
    };
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    Ok(RecordBatch::try_new_with_options(Arc::new(schema), arrays, &options)?)
}
