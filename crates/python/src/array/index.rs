//! NumPy's indexing: integers, slices, `...` and `None` select a box.

use ndbytes::ndarray::SliceInfoElem;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PySlice, PyTuple};

/// What an index selects.
pub enum Picked {
    /// A box: its slices, the shape to read, and the shape to show if `None` added axes. If every axis has an index, and there is
    /// nothing else, the result is a scalar.
    Box { slices: Vec<SliceInfoElem>, read: Vec<usize>, shown: Option<Vec<usize>>, is_scalar: bool },
    /// An index that only NumPy supports.
    Other,
}

/// Parses an index.
///
/// # Errors
/// `IndexError` if it has more parts than there are axes, or if one of them is out of range.
pub fn picked(key: &Bound<'_, PyAny>, shape: &[usize]) -> PyResult<Picked> {
    let parts: Vec<Bound<'_, PyAny>> = match key.cast::<PyTuple>() {
        Ok(parts) => parts.iter().collect(),
        Err(_) => vec![key.clone()],
    };
    let is_dots = |part: &Bound<'_, PyAny>| part.is_instance_of::<PyEllipsis>();
    let given = parts.iter().filter(|part| !is_dots(part) && !part.is_none()).count();
    let (mut slices, mut read, mut shown, mut axis) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let whole = |count: usize, slices: &mut Vec<_>, read: &mut Vec<usize>, shown: &mut Vec<usize>, axis: &mut usize| {
        for _ in 0..count {
            slices.push(SliceInfoElem::Slice { start: 0, end: None, step: 1 });
            read.push(shape[*axis]);
            shown.push(shape[*axis]);
            *axis += 1;
        }
    };
    let (mut has_dots, mut has_new_axes) = (false, false);
    for part in &parts {
        if is_dots(part) {
            if std::mem::replace(&mut has_dots, true) {
                return Err(PyIndexError::new_err("an index can have only one ellipsis ('...')"));
            }
            whole(shape.len().saturating_sub(given), &mut slices, &mut read, &mut shown, &mut axis);
        } else if part.is_none() {
            has_new_axes = true;
            shown.push(1);
        } else if part.is_instance_of::<PyBool>() || !is_plain(part) {
            return Ok(Picked::Other);
        } else if axis == shape.len() {
            return Err(PyIndexError::new_err(format!(
                "too many indices for array: array is {}-dimensional, but {given} were indexed",
                shape.len()
            )));
        } else if let Ok(slice) = part.cast::<PySlice>() {
            let indices = slice.indices(shape[axis] as isize)?;
            let count = indices.slicelength;
            slices.push(range(indices.start, indices.step, count));
            read.push(count);
            shown.push(count);
            axis += 1;
        } else {
            slices.push(SliceInfoElem::Index(place(part, axis, shape[axis])?));
            axis += 1;
        }
    }
    whole(shape.len() - axis, &mut slices, &mut read, &mut shown, &mut axis);
    let is_scalar = read.is_empty() && !has_dots && !has_new_axes;
    Ok(Picked::Box { slices, read, shown: has_new_axes.then_some(shown), is_scalar })
}

/// Converts an integer to an index on an axis.
fn place(part: &Bound<'_, PyAny>, axis: usize, extent: usize) -> PyResult<isize> {
    let place = part.call_method0("__index__")?.extract::<isize>().ok();
    place.filter(|place| (-(extent as isize)..extent as isize).contains(place)).ok_or_else(|| {
        PyIndexError::new_err(format!("index {part} is out of bounds for axis {axis} with size {extent}"))
    })
}

/// Returns whether a part is a slice or an integer, including NumPy's, but not an array.
fn is_plain(part: &Bound<'_, PyAny>) -> bool {
    part.is_instance_of::<PySlice>()
        || (part.hasattr("__index__").unwrap_or(false)
            && !part.hasattr("__len__").unwrap_or(true)
            && !is_numpy_bool(part))
}

fn is_numpy_bool(part: &Bound<'_, PyAny>) -> bool {
    part.getattr("dtype").and_then(|dtype| dtype.getattr("kind")?.extract::<char>()).is_ok_and(|kind| kind == 'b')
}

/// Returns a Python slice in ndarray's form: the range in ascending order, which a negative step walks from the end.
fn range(start: isize, step: isize, count: usize) -> SliceInfoElem {
    if count == 0 {
        return SliceInfoElem::Slice { start: 0, end: Some(0), step: 1 };
    }
    let last = start + (count as isize - 1) * step;
    let (low, high) = if step > 0 { (start, last) } else { (last, start) };
    SliceInfoElem::Slice { start: low, end: Some(high + 1), step }
}
