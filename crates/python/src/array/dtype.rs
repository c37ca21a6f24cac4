//! Types of elements in NumPy's words, and in those of buffers.

use ndbytes::everybyte::Endian;
use ndbytes::{Dtype, ItemType, Kind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// NumPy's dtype. What NumPy does not have becomes parts, or raw bytes.
///
/// # Errors
/// `ValueError` for a type that NumPy refuses: items that are larger than it allows.
pub fn of<'py>(py: Python<'py>, item_type: &ItemType) -> PyResult<Bound<'py, PyAny>> {
    let refused = || PyValueError::new_err(format!("NumPy has no arrays of {item_type}"));
    let make = |text: Bound<'py, PyAny>| py.import("numpy")?.getattr("dtype")?.call1((text,)).map_err(|_| refused());
    let ItemType::Plain(dtype) = item_type else {
        let literal = py.import("ast")?.call_method1("literal_eval", (item_type.to_string(),))?;
        return make(literal);
    };
    let text = match dtype.kind {
        Kind::Bf16 => match py.import("ml_dtypes") {
            Ok(types) => return make(types.getattr("bfloat16")?)?.call_method1("newbyteorder", (order(*dtype),)),
            Err(_) => "V2".into(),
        },
        Kind::I128 | Kind::U128 => "V16".into(),
        Kind::Complex32 => return make(py.import("ast")?.call_method1("literal_eval", (parts(*dtype),))?),
        Kind::Bit => "|b1".into(),
        _ => dtype.descr(),
    };
    make(text.into_pyobject(py)?.into_any())
}

fn order(dtype: Dtype) -> &'static str {
    match dtype.endian {
        Endian::Big => ">",
        Endian::Little => "<",
    }
}

/// The two halves of a complex number that NumPy does not have.
fn parts(dtype: Dtype) -> String {
    let order = order(dtype);
    format!("[('re', '{order}f2'), ('im', '{order}f2')]")
}

/// The format of an element in a buffer, in the words of Python's `struct`; `None` if these have none.
pub fn format(item_type: &ItemType) -> Option<String> {
    let ItemType::Plain(dtype) = item_type else { return None };
    let code = match dtype.kind {
        Kind::Bool | Kind::Bit => "?",
        Kind::I8 => "b",
        Kind::U8 => "B",
        Kind::I16 => "h",
        Kind::U16 => "H",
        Kind::I32 => "i",
        Kind::U32 => "I",
        Kind::I64 => "q",
        Kind::U64 => "Q",
        Kind::F16 => "e",
        Kind::F32 => "f",
        Kind::F64 => "d",
        Kind::Complex64 => "Zf",
        Kind::Complex128 => "Zd",
        _ => return None,
    };
    // A memoryview reads elements of native order only without a prefix.
    let prefix = if dtype.is_swapped() { order(*dtype) } else { "" };
    Some(format!("{prefix}{code}"))
}
