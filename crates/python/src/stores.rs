//! Options of stores, from arguments.

use ndbytes_stores::{Entered, Options, enter, serves};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use std::path::Path;

/// The names of S3 options in fsspec.
const OF_FSSPEC: [(&str, &str); 7] = [
    ("key", "aws_access_key_id"),
    ("secret", "aws_secret_access_key"),
    ("token", "aws_session_token"),
    ("anon", "aws_skip_signature"),
    ("endpoint_url", "aws_endpoint_url"),
    ("endpoint", "aws_endpoint_url"),
    ("region_name", "aws_region"),
];

/// The nested dictionary in which fsspec keeps some of the options.
const NESTED: &str = "client_kwargs";

/// Converts an argument to options, with the names of `object_store` or fsspec.
///
/// # Errors
/// `ValueError` if no store has an option with this name; `TypeError` if a value has the wrong type.
pub fn options(given: Option<&Bound<'_, PyDict>>) -> PyResult<Options> {
    let mut options = Options::new();
    add(given, &mut options)?;
    Ok(options)
}

fn add(given: Option<&Bound<'_, PyDict>>, options: &mut Options) -> PyResult<()> {
    for (key, value) in given.into_iter().flat_map(|given| given.iter()) {
        let key: String = key.extract()?;
        if key == NESTED {
            add(Some(value.cast::<PyDict>()?), options)?;
        } else if !value.is_none() {
            let known = OF_FSSPEC.iter().find(|(name, _)| *name == key).map_or(key.as_str(), |(_, known)| known);
            let unknown = |error: ndbytes_stores::UnknownOption| PyValueError::new_err(error.to_string());
            options.set(known, text(&key, &value)?).map_err(unknown)?;
        }
    }
    Ok(())
}

/// Returns the text of a value.
fn text(key: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(is_wanted) = value.cast::<PyBool>() {
        return Ok(is_wanted.is_true().to_string());
    }
    match value.cast::<PyString>() {
        Ok(text) => text.extract(),
        Err(_) => Err(PyTypeError::new_err(format!("the option {key:?} of a store must be a text or a boolean"))),
    }
}

/// Returns whether a path is a URL that is opened without fsspec.
pub fn is_url(path: &Path) -> bool {
    path.to_str().is_some_and(serves)
}

/// Applies options to paths that are URLs until the result is dropped. If no path is a URL, this does not wait.
pub fn entered<'p>(
    py: Python<'_>,
    mut paths: impl Iterator<Item = &'p Path>,
    given: Option<&Bound<'_, PyDict>>,
) -> PyResult<Option<Entered>> {
    let options = options(given)?;
    Ok(paths.any(is_url).then(|| py.detach(|| enter(options))))
}
