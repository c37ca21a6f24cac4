//! Attributes of b2nd, which are msgpack, as Python's own values.

use ndbytes::rmpv::Value;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

/// The first item of a list that python-blosc2 reads as a tuple of the other items: msgpack itself has no tuples.
const TUPLE: &str = "__tuple__";

/// A value. Keys that Python cannot look up, such as lists, become tuples; extension values become pairs of their type and bytes.
/// Tuples of python-blosc2 are tuples.
pub fn value<'py>(py: Python<'py>, from: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match from {
        Value::Nil => py.None().into_bound(py),
        Value::Boolean(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Integer(value) => match (value.as_i64(), value.as_u64()) {
            (Some(value), _) => value.into_pyobject(py)?.into_any(),
            (None, value) => value.unwrap_or_default().into_pyobject(py)?.into_any(),
        },
        Value::F32(value) => value.into_pyobject(py)?.into_any(),
        Value::F64(value) => value.into_pyobject(py)?.into_any(),
        Value::String(text) => match text.as_str() {
            Some(text) => text.into_pyobject(py)?.into_any(),
            None => PyBytes::new(py, text.as_bytes()).into_any(),
        },
        Value::Binary(bytes) => PyBytes::new(py, bytes).into_any(),
        Value::Array(items) => {
            let is_tuple = items.first().and_then(Value::as_str) == Some(TUPLE);
            let items = items.iter().skip(is_tuple.into()).map(|item| value(py, item)).collect::<PyResult<Vec<_>>>()?;
            if is_tuple { PyTuple::new(py, items)?.into_any() } else { PyList::new(py, items)?.into_any() }
        }
        Value::Map(entries) => {
            let map = PyDict::new(py);
            for (key, item) in entries {
                let key = value(py, key)?;
                let key = match key.cast::<PyList>() {
                    Ok(list) => list.to_tuple().into_any(),
                    Err(_) => key,
                };
                map.set_item(key, value(py, item)?)?;
            }
            map.into_any()
        }
        Value::Ext(kind, bytes) => {
            PyTuple::new(py, [kind.into_pyobject(py)?.into_any(), PyBytes::new(py, bytes).into_any()])?.into_any()
        }
    })
}

/// Lists and maps in each other that an attribute may have.
const DEEPEST: usize = 64;

/// The value of something of Python's, for a file.
///
/// # Errors
/// `TypeError` if msgpack has no value for it. `ValueError` if lists stand too deep in each other, and for a list that would come back
/// as a tuple.
pub fn of(from: &Bound<'_, PyAny>) -> PyResult<Value> {
    within(from, DEEPEST)
}

fn within(from: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(PyValueError::new_err(format!("lists and maps stand more than {DEEPEST} deep in each other")));
    };
    if from.is_none() {
        return Ok(Value::Nil);
    }
    if let Ok(value) = from.extract::<bool>() {
        return Ok(value.into());
    }
    if let Ok(value) = from.extract::<i64>() {
        return Ok(value.into());
    }
    if let Ok(value) = from.extract::<u64>() {
        return Ok(value.into());
    }
    if let Ok(bytes) = from.cast::<PyBytes>() {
        return Ok(Value::Binary(bytes.as_bytes().to_vec()));
    }
    if let Ok(text) = from.extract::<String>() {
        return Ok(text.into());
    }
    if let Ok(map) = from.cast::<PyDict>() {
        let entries = map.iter().map(|(key, item)| Ok((within(&key, depth)?, within(&item, depth)?)));
        return Ok(Value::Map(entries.collect::<PyResult<_>>()?));
    }
    if from.is_instance_of::<PyList>() || from.is_instance_of::<PyTuple>() {
        let items = from.try_iter()?.map(|item| within(&item?, depth)).collect::<PyResult<Vec<_>>>()?;
        if from.is_instance_of::<PyTuple>() {
            return Ok(Value::Array([vec![TUPLE.into()], items].concat()));
        }
        if items.first().and_then(Value::as_str) == Some(TUPLE) {
            let said = format!("a list of an attribute cannot begin with {TUPLE:?}, which says that it is a tuple");
            return Err(PyValueError::new_err(said));
        }
        return Ok(Value::Array(items));
    }
    if let Ok(value) = from.extract::<f64>() {
        return Ok(value.into());
    }
    let name = from.get_type().qualname()?;
    Err(PyTypeError::new_err(format!("an attribute cannot be a {name}")))
}
