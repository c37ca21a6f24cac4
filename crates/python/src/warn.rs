//! Warnings about files that are read anyway.

use crate::finding::Finding;
use pyo3::prelude::*;

/// Issues a warning through Python's `warnings`, with the finding if there is one.
///
/// # Errors
/// The warning itself, if the program turns it into an error.
pub fn say(py: Python<'_>, words: &str, finding: Option<Finding>) -> PyResult<()> {
    py.import("ndbytes._warnings")?.call_method1("say", (words, finding))?;
    Ok(())
}

/// Reports findings that did not prevent opening something. `given` is what it was opened from.
///
/// # Errors
/// As for [`say`].
pub fn say_findings(py: Python<'_>, given: &Bound<'_, PyAny>, findings: &[ndbytes::Finding]) -> PyResult<()> {
    if findings.is_empty() {
        return Ok(());
    }
    // An input without a path is named by its type.
    let path = py.import("os")?.call_method1("fspath", (given,));
    let name = match path.and_then(|path| Ok(path.str()?.to_string_lossy().into_owned())) {
        Ok(name) if !given.is_instance_of::<pyo3::types::PyBytes>() => name,
        _ => given.get_type().name()?.to_string_lossy().into_owned(),
    };
    for finding in findings {
        let finding = Finding::from(finding.clone());
        say(py, &format!("{name}: {finding}"), Some(finding))?;
    }
    Ok(())
}
