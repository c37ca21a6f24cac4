//! Tables of other packages, which are validated before they are believed.

use crate::foreign;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_array::{Array, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::prelude::*;

/// The batches of something that has a C stream. Each is validated.
pub fn batches(from: &Bound<'_, PyAny>) -> PyResult<Validated> {
    // The C interface does not say how long buffers are. pyarrow knows, and reads files without looking.
    let validated = from.py().import("ndbytes._validated")?.call_method1("validated", (from,))?;
    foreign::batches(&validated).map(Validated)
}

/// The batches of a C stream, whose offsets, views, keys and texts are looked at.
pub struct Validated(RecordBatchStreamReader);

impl Iterator for Validated {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.0.next()?.and_then(|batch| {
            for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
                column.to_data().validate_full().map_err(|error| {
                    ArrowError::InvalidArgumentError(format!("column {:?} is not valid: {error}", field.name()))
                })?;
            }
            Ok(batch)
        }))
    }
}

impl RecordBatchReader for Validated {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }
}
