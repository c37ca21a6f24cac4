//! Options of stores, as arguments ask for them.

use ndbytes_stores::{Entered, Options, enter, serves};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use std::path::Path;

/// The names that fsspec has for options of S3.
const OF_FSSPEC: [(&str, &str); 7] = [
    ("key", "aws_access_key_id"),
    ("secret", "aws_secret_access_key"),
    ("token", "aws_session_token"),
    ("anon", "aws_skip_signature"),
    ("endpoint_url", "aws_endpoint_url"),
    ("endpoint", "aws_endpoint_url"),
    ("region_name", "aws_region"),
];

/// The dictionary of options in which fsspec has some of them.
const NESTED: &str = "client_kwargs";

/// The options that an argument asks for, by the names of `object_store` or by those of fsspec.
///
/// # Errors
/// `ValueError` if no store has an option of a name, `TypeError` if a value is none.
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

/// The text of a value.
fn text(key: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(is_wanted) = value.cast::<PyBool>() {
        return Ok(is_wanted.is_true().to_string());
    }
    match value.cast::<PyString>() {
        Ok(text) => text.extract(),
        Err(_) => Err(PyTypeError::new_err(format!("the option {key:?} of a store is a text or a boolean"))),
    }
}

/// Returns whether a path is an URL that is opened without fsspec.
pub fn is_url(path: &Path) -> bool {
    path.to_str().is_some_and(serves)
}

/// Has options count for paths that are URLs, as long as the result is kept. Without such paths nobody waits.
pub fn entered<'p>(
    py: Python<'_>,
    mut paths: impl Iterator<Item = &'p Path>,
    given: Option<&Bound<'_, PyDict>>,
) -> PyResult<Option<Entered>> {
    let options = options(given)?;
    Ok(paths.any(is_url).then(|| py.detach(|| enter(options))))
}
