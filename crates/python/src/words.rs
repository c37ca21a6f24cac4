//! Names of options for checking files.

use ndbytes::{Depth, Profile};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The depth of a check, by name.
pub fn depth(name: &str) -> PyResult<Depth> {
    match name {
        "structure" => Ok(Depth::Structure),
        "payload" => Ok(Depth::Payload),
        _ => Err(PyValueError::new_err(format!("{name:?} is not a depth: expected structure or payload"))),
    }
}

/// The profile, by name.
pub fn profile(name: &str) -> PyResult<Profile> {
    match name {
        "strict" => Ok(Profile::Strict),
        "reference" => Ok(Profile::Reference),
        _ => Err(PyValueError::new_err(format!("{name:?} is not a profile: expected strict or reference"))),
    }
}
