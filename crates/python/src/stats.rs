//! Statistics of values.

use crate::errors::raise;
use crate::work::work;
use ndbytes_cli::stats_json::StatsObject;
use pyo3::prelude::*;

/// Computes statistics, and returns them as JSON-compatible Python values.
pub fn of<'py>(
    py: Python<'py>,
    gather: impl FnOnce() -> ndbytes::Result<StatsObject> + Send + 'static,
) -> PyResult<Bound<'py, PyAny>> {
    let statistics = work(py, move || gather().map(|object| object.to_json()))?.map_err(|error| raise(py, error))?;
    py.import("json")?.call_method1("loads", (statistics,))
}
