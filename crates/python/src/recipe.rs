//! How files are reopened.

use crate::errors::{about, raise, raise_arrow};
use ndbytes::{Error, Limits};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// How a file was opened, so that another process can reopen it.
#[derive(Default)]
pub struct Recipe {
    /// The path or URL; `None` if it was opened from bytes or a stream, which another process does not have.
    source: Option<Py<PyAny>>,
    options: Option<Py<PyDict>>,
    is_remote: bool,
    limits: Limits,
}

impl Recipe {
    /// The recipe for a source that can be reopened with these arguments.
    pub fn again(source: Py<PyAny>, options: Py<PyDict>, is_remote: bool, limits: Limits) -> Self {
        Recipe { source: Some(source), options: Some(options), is_remote, limits }
    }

    /// The recipe for a source that cannot be reopened, with its limits.
    pub fn within(limits: Limits) -> Self {
        Recipe { limits, ..Recipe::default() }
    }

    /// The limits that it was opened with.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Converts an error to an exception that names this file.
    pub fn raise(&self, py: Python<'_>, error: Error) -> PyErr {
        self.about(py, raise(py, error))
    }

    /// Like [`Recipe::raise`], for an error of the table library.
    pub fn raise_arrow(&self, py: Python<'_>, error: ndbytes_arrow::Error) -> PyErr {
        self.about(py, raise_arrow(py, error))
    }

    /// Adds this file to an exception.
    pub fn about(&self, py: Python<'_>, error: PyErr) -> PyErr {
        about(py, error, self.source.as_ref().map(|source| source.bind(py)))
    }

    /// Returns whether unread parts must be fetched from a server.
    pub fn is_remote(&self) -> bool {
        self.is_remote
    }

    /// The result of `__reduce__`: a function and its arguments.
    ///
    /// # Errors
    /// `TypeError` if the file was opened from bytes or a stream.
    pub fn reduce<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        use pyo3::exceptions::PyTypeError;
        let Some(source) = &self.source else {
            return Err(PyTypeError::new_err("only files opened from a path can be pickled"));
        };
        let again = py.import("ndbytes")?.getattr("_open_again")?;
        let arguments = PyTuple::new(py, [source.bind(py).clone(), self.options(py).into_any()])?;
        Ok(PyTuple::new(py, [again, arguments.into_any()])?.into_any())
    }

    /// The options, as arguments of `open`.
    pub fn options<'py>(&self, py: Python<'py>) -> Bound<'py, PyDict> {
        self.options.as_ref().map_or_else(|| PyDict::new(py), |options| options.bind(py).clone())
    }

    pub fn clone_ref(&self, py: Python<'_>) -> Self {
        let Recipe { source, options, is_remote, limits } = self;
        let source = source.as_ref().map(|source| source.clone_ref(py));
        let options = options.as_ref().map(|options| options.clone_ref(py));
        Recipe { source, options, is_remote: *is_remote, limits: *limits }
    }
}
