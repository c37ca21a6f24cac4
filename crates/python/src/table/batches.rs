//! Batches that are passed to another library.

use crate::foreign::{capsule, schema_capsule};
use crate::work::within;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::sync::Mutex;

type Reader = Box<dyn RecordBatchReader + Send>;

/// Batches that can be consumed once, through Arrow's C stream.
///
/// Example:
///     >>> import ndbytes, pyarrow
///     >>> batches = ndbytes.check_batch(["surface.ra"], "files")
///     >>> pyarrow.table(batches).num_rows
///     1
#[pyclass(frozen, module = "ndbytes")]
pub struct Batches {
    schema: SchemaRef,
    /// `None` once they are passed on.
    reader: Mutex<Option<Reader>>,
}

impl Batches {
    pub fn new(reader: Reader) -> Self {
        Batches { schema: reader.schema(), reader: Mutex::new(Some(reader)) }
    }
}

#[pymethods]
impl Batches {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let reader = self.reader.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        let reader = reader.ok_or_else(|| PyValueError::new_err("these batches have already been consumed"))?;
        capsule(py, stream(reader))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
    }
}

/// The C stream of batches, which are produced on the threads of the calling process.
pub fn stream(reader: Reader) -> FFI_ArrowArrayStream {
    FFI_ArrowArrayStream::new(Box::new(Within(reader)))
}

struct Within(Reader);

impl Iterator for Within {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let reader = &mut self.0;
        match within(|| reader.next()) {
            Ok(next) => next,
            Err(error) => Some(Err(ArrowError::ComputeError(error.to_string()))),
        }
    }
}

impl RecordBatchReader for Within {
    fn schema(&self) -> SchemaRef {
        self.0.schema()
    }
}
