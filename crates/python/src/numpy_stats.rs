//! Statistics of NumPy arrays.

use crate::limits::limits;
use crate::save::walked;
use crate::stats::of;
use ndbytes::ndarray::SliceInfoElem;
use ndbytes::{Input, Plain};
use ndbytes_cli::stats_json::StatsObject;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

/// Computes the statistics of anything that NumPy can convert to an array.
#[pyfunction]
#[pyo3(signature = (given, *, memory=None, time=None, output=None))]
pub fn stats_of_numpy<'py>(
    given: &Bound<'py, PyAny>,
    memory: Option<u64>,
    time: Option<f64>,
    output: Option<u64>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, limits) = (given.py(), limits(memory, time, output)?);
    let (array, walked) = walked(given)?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let bytes = PyBackedBytes::from(array.call_method0("tobytes")?.cast_into::<PyBytes>()?);
    of(py, move || {
        let plain = Plain::new(Input::from_slice(&bytes, limits), 0, walked.item_type, shape)?;
        let all: Vec<_> = plain.shape().iter().map(|_| SliceInfoElem::Slice { start: 0, end: None, step: 1 }).collect();
        StatsObject::of_items(&mut *plain.select(all)?)
    })
}
