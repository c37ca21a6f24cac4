//! Runs the tool `ndbytes` inside the interpreter's process.

use crate::stores;
use crate::work::work;
use ndbytes_cli::Streams;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::ffi::OsString;
use std::path::Path;

/// Runs the tool with the streams of the process, and returns its exit status.
#[pyfunction]
pub fn run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    // The tool answers signals itself.
    py.detach(|| ndbytes_cli::run_as_process(arguments))
}

/// Runs the tool with captured streams: returns its exit status, its output, and its error messages.
#[pyfunction]
#[pyo3(signature = (arguments, storage_options=None))]
pub fn run_captured<'py>(
    py: Python<'py>,
    arguments: Vec<OsString>,
    storage_options: Option<&Bound<'py, PyDict>>,
) -> PyResult<(u8, Bound<'py, PyBytes>, String)> {
    let entered = stores::entered(py, arguments.iter().map(Path::new), storage_options)?;
    let (status, out, err) = work(py, move || {
        let _entered = entered;
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let status = ndbytes_cli::run(arguments, Streams::captured(&mut std::io::empty(), &mut out, &mut err));
        (status, out, err)
    })?;
    Ok((status, PyBytes::new(py, &out), String::from_utf8_lossy(&err).into_owned()))
}
