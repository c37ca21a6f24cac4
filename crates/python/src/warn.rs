//! Warnings: what is said about a file that is read nevertheless.

use crate::finding::Finding;
use pyo3::prelude::*;

/// Says something through Python's `warnings`, about a finding if it is about one.
///
/// # Errors
/// The warning itself, if the program asked for it to be raised.
pub fn say(py: Python<'_>, words: &str, finding: Option<Finding>) -> PyResult<()> {
    py.import("ndbytes._warnings")?.call_method1("say", (words, finding))?;
    Ok(())
}

/// Says the findings that did not prevent that something was opened. `given` is what it was opened from.
///
/// # Errors
/// As for [`say`].
pub fn say_findings(py: Python<'_>, given: &Bound<'_, PyAny>, findings: &[ndbytes::Finding]) -> PyResult<()> {
    if findings.is_empty() {
        return Ok(());
    }
    // What has no path is named by its type.
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
