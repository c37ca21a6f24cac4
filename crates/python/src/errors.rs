//! Exceptions.

use crate::finding::Finding;
use ndbytes::Error;
use pyo3::create_exception;
use pyo3::exceptions::{
    PyFileNotFoundError, PyIndexError, PyKeyError, PyMemoryError, PyOSError, PyPermissionError, PyRuntimeError,
    PyTimeoutError, PyValueError,
};
use pyo3::prelude::*;
use std::io::ErrorKind;
use std::path::PathBuf;

create_exception!(
    ndbytes,
    InvalidError,
    PyValueError,
    "A file violates a rule of its format. ``finding`` says which one, and where.\n\n\
     The other attributes are those of the finding: ``rule``, ``severity``, ``field``, ``space``, ``offset``, ``length``,\n\
     ``message``, ``expected``, ``found``, ``help``, ``member`` and ``reference``. ``path`` is the path or the address that was\n\
     opened, or ``None`` for bytes and streams."
);
create_exception!(
    ndbytes,
    LimitError,
    PyMemoryError,
    "A file exceeds the memory limit: see ``memory`` of ``open``.\n\n\
     ``path`` is the path or the address that was opened, or ``None`` for bytes and streams."
);

/// Converts an error of the library to an exception.
pub fn raise(py: Python<'_>, error: Error) -> PyErr {
    let words = error.to_string();
    match error {
        Error::Invalid(finding) => invalid(py, words, Finding::from(*finding)).unwrap_or_else(|error| error),
        Error::Io { path, source } => system(py, path, source),
        Error::Limit { .. } => LimitError::new_err(words),
        Error::Time { .. } => PyTimeoutError::new_err(words),
        Error::OutOfRange { .. } | Error::Selection { .. } => PyIndexError::new_err(words),
        Error::NoEntry { .. } | Error::NoColumn { .. } | Error::NoMetalayer { .. } => PyKeyError::new_err(words),
        _ => PyValueError::new_err(words),
    }
}

/// Adds the file to an exception, as the attribute `path` and as a note below the traceback. Bytes and streams have no path.
/// Exceptions for operating system errors already have the name.
pub fn about(py: Python<'_>, error: PyErr, source: Option<&Bound<'_, PyAny>>) -> PyErr {
    let is_ours = error.is_instance_of::<InvalidError>(py) || error.is_instance_of::<LimitError>(py);
    let path = source.filter(|_| is_ours).and_then(|source| text(source).ok());
    if let Some(path) = path {
        let value = error.value(py);
        // An exception without a path is better than none.
        let _ = value.setattr("path", &path);
        let _ = value.call_method1("add_note", (format!("file: {path}"),));
    }
    error
}

/// Returns a path as text: bytes that are not Unicode become surrogates.
fn text<'py>(source: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    source.py().import("os")?.call_method1("fsdecode", (source,))
}

/// Converts an error of the table library to an exception.
pub fn raise_arrow(py: Python<'_>, error: ndbytes_arrow::Error) -> PyErr {
    match error {
        ndbytes_arrow::Error::Ndbytes(error) => raise(py, error),
        error @ ndbytes_arrow::Error::Memory { .. } => LimitError::new_err(error.to_string()),
        error @ ndbytes_arrow::Error::Defect(_) => PyRuntimeError::new_err(error.to_string()),
        error => PyValueError::new_err(error.to_string()),
    }
}

fn invalid(py: Python<'_>, words: String, finding: Finding) -> PyResult<PyErr> {
    let error = InvalidError::new_err(words);
    let finding = Bound::new(py, finding)?;
    let value = error.value(py);
    for name in Finding::ATTRIBUTES {
        value.setattr(name, finding.getattr(name)?)?;
    }
    value.setattr("finding", finding)?;
    Ok(error)
}

/// Returns the exception for a system error, such as `FileNotFoundError`. An exception raised by a Python source is
/// re-raised.
fn system(py: Python<'_>, path: Option<PathBuf>, source: std::io::Error) -> PyErr {
    let words = source.to_string();
    if let Some(number) = source.raw_os_error() {
        // The system's own words, without the number that Rust adds.
        let words =
            py.import("os").and_then(|os| os.call_method1("strerror", (number,))?.extract::<String>()).unwrap_or(words);
        // As text, like the system's own exceptions: bytes that are not UTF-8 become surrogates.
        return PyOSError::new_err((number, words, path.map(PathBuf::into_os_string)));
    }
    let own = source.get_ref().and_then(find_own).map(|error| error.clone_ref(py));
    let words = path.map(|path| format!("{}: {words}", path.display())).unwrap_or(words);
    own.unwrap_or_else(|| match source.kind() {
        ErrorKind::NotFound => PyFileNotFoundError::new_err(words),
        ErrorKind::PermissionDenied => PyPermissionError::new_err(words),
        ErrorKind::TimedOut => PyTimeoutError::new_err(words),
        _ => PyOSError::new_err(words),
    })
}

/// Finds a Python exception among an error's causes.
fn find_own<'e>(error: &'e (dyn std::error::Error + Send + Sync + 'static)) -> Option<&'e PyErr> {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(own) = error.downcast_ref::<PyErr>() {
            return Some(own);
        }
        if let Some(io) = error.downcast_ref::<std::io::Error>()
            && let Some(own) = io.get_ref().and_then(find_own)
        {
            return Some(own);
        }
        cause = error.source();
    }
    None
}
