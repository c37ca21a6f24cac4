//! Words that choose how files are checked.

use ndbytes::{Depth, Profile};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The scope of a check, by its name.
pub fn depth(name: &str) -> PyResult<Depth> {
    match name {
        "structure" => Ok(Depth::Structure),
        "payload" => Ok(Depth::Payload),
        _ => Err(PyValueError::new_err(format!("{name:?} is no depth: structure or payload"))),
    }
}

/// The judgement that findings are weighed by, by its name.
pub fn profile(name: &str) -> PyResult<Profile> {
    match name {
        "strict" => Ok(Profile::Strict),
        "reference" => Ok(Profile::Reference),
        _ => Err(PyValueError::new_err(format!("{name:?} is no profile: strict or reference"))),
    }
}
