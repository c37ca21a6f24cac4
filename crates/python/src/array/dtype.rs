//! Element types in the notation of NumPy and of buffers.

use ndbytes::everybyte::Endian;
use ndbytes::{Dtype, ElementKind, ItemType};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Converts to a NumPy dtype. Types that NumPy does not support become their parts, or raw bytes.
///
/// # Errors
/// `ValueError` for a type that NumPy refuses because its items are too large.
pub fn of<'py>(py: Python<'py>, item_type: &ItemType) -> PyResult<Bound<'py, PyAny>> {
    let refused = || PyValueError::new_err(format!("NumPy has no arrays of {item_type}"));
    let make = |text: Bound<'py, PyAny>| py.import("numpy")?.getattr("dtype")?.call1((text,)).map_err(|_| refused());
    let ItemType::Plain(dtype) = item_type else {
        let literal = py.import("ast")?.call_method1("literal_eval", (item_type.to_string(),))?;
        return make(literal);
    };
    let text = match dtype.kind {
        ElementKind::Bf16 => match py.import("ml_dtypes") {
            Ok(types) => return make(types.getattr("bfloat16")?)?.call_method1("newbyteorder", (order(*dtype),)),
            Err(_) => "V2".into(),
        },
        ElementKind::I128 | ElementKind::U128 => "V16".into(),
        ElementKind::Complex32 => return make(py.import("ast")?.call_method1("literal_eval", (parts(*dtype),))?),
        ElementKind::Bit => "|b1".into(),
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

/// Returns the two halves of a complex number type that NumPy does not support.
fn parts(dtype: Dtype) -> String {
    let order = order(dtype);
    format!("[('re', '{order}f2'), ('im', '{order}f2')]")
}

/// The format of an element in a buffer, in the notation of Python's `struct`; `None` if there is none.
pub fn format(item_type: &ItemType) -> Option<String> {
    let ItemType::Plain(dtype) = item_type else { return None };
    let code = match dtype.kind {
        ElementKind::Bool | ElementKind::Bit => "?",
        ElementKind::I8 => "b",
        ElementKind::U8 => "B",
        ElementKind::I16 => "h",
        ElementKind::U16 => "H",
        ElementKind::I32 => "i",
        ElementKind::U32 => "I",
        ElementKind::I64 => "q",
        ElementKind::U64 => "Q",
        ElementKind::F16 => "e",
        ElementKind::F32 => "f",
        ElementKind::F64 => "d",
        ElementKind::Complex64 => "Zf",
        ElementKind::Complex128 => "Zd",
        _ => return None,
    };
    // A memoryview reads elements of native order only without a prefix.
    let prefix = if dtype.is_swapped() { order(*dtype) } else { "" };
    Some(format!("{prefix}{code}"))
}
