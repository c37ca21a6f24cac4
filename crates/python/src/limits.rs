//! Limits from arguments.

use ndbytes::Limits;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::time::Duration;

/// Converts arguments to limits: bytes of memory, seconds, and bytes of output.
///
/// # Errors
/// `ValueError` if the seconds are not a valid duration.
pub fn limits(memory: Option<u64>, time: Option<f64>, output: Option<u64>) -> PyResult<Limits> {
    let mut limits = Limits::default();
    limits = memory.map_or(limits, |memory| limits.memory(memory));
    limits = output.map_or(limits, |output| limits.output(output));
    let Some(seconds) = time else { return Ok(limits) };
    let no_time = |_| PyValueError::new_err(format!("{seconds} is not a number of seconds"));
    Ok(limits.time(Duration::try_from_secs_f64(seconds).map_err(no_time)?))
}
