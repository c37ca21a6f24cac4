//! Converts b2nd attributes, which are msgpack, to Python values.

use ndbytes::rmpv::Value;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};

/// The first item of a list that python-blosc2 reads as a tuple of the other items: msgpack itself has no tuples.
const TUPLE: &str = "__tuple__";

/// Converts to a Python value. Keys that Python cannot hash, such as lists, become tuples; extension values become pairs of their type and
/// bytes. python-blosc2's tuples become tuples.
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

/// The maximum nesting of lists and maps in an attribute.
const DEEPEST: usize = 64;

/// Converts a Python value to msgpack.
///
/// # Errors
/// `TypeError` if msgpack cannot represent it. `ValueError` if lists are nested too deeply, or if a list would be read back as a tuple.
pub fn of(from: &Bound<'_, PyAny>) -> PyResult<Value> {
    within(from, DEEPEST)
}

fn within(from: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(PyValueError::new_err(format!("lists and maps are nested more than {DEEPEST} deep")));
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
            let said = format!("a list in an attribute cannot begin with {TUPLE:?}, which marks a tuple");
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
