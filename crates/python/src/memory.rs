//! Bytes that NumPy uses without a copy.

use crate::foreign::{Owned, lend, release};
use bytemuck::NoUninit;
use pyo3::ffi::Py_buffer;
use pyo3::prelude::*;
use std::ffi::c_int;
use std::sync::Arc;

/// Owned decoded values: writable single bytes. A NumPy array on top of them has the shape and the type.
#[pyclass(frozen, module = "ndbytes._ndbytes")]
pub struct Memory(Owned);

impl Memory {
    pub fn new<T: NoUninit + Send + Sync>(values: Vec<T>) -> Self {
        Memory(Owned::new(values))
    }
}

#[pymethods]
impl Memory {
    #[allow(unsafe_code, reason = "the interpreter's interface")]
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut Py_buffer, flags: c_int) -> PyResult<()> {
        let owner = slf.clone().into_any();
        slf.get().0.lend(owner, view, flags)
    }

    #[allow(unsafe_code, reason = "the interpreter's interface")]
    unsafe fn __releasebuffer__(&self, view: *mut Py_buffer) {
        // SAFETY: the interpreter releases what `__getbuffer__` filled.
        unsafe { release(view) }
    }
}

/// The bytes of the elements in place; `None` if they must be decoded or fetched.
pub fn in_place<'a>(array: &'a ndbytes::Array<'static>) -> Option<&'a [u8]> {
    match array {
        ndbytes::Array::Idx(array) => array.bytes().ok(),
        ndbytes::Array::RawArray(array) => array.bytes().ok(),
        ndbytes::Array::Npy(array) => array.bytes().ok(),
        ndbytes::Array::Safetensors(array) | ndbytes::Array::Gguf(array) => array.bytes().ok(),
        _ => None,
    }
}

/// The bytes of an array in place, in the mapped file or in memory: read-only single bytes.
#[pyclass(frozen, module = "ndbytes._ndbytes")]
pub struct Elements(pub Arc<ndbytes::Array<'static>>);

#[pymethods]
impl Elements {
    #[allow(unsafe_code, reason = "the interpreter's interface")]
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut Py_buffer, flags: c_int) -> PyResult<()> {
        let owner = slf.clone().into_any();
        let bytes = in_place(&slf.get().0);
        lend(owner, view, flags, bytes.unwrap_or_default(), None)
    }

    #[allow(unsafe_code, reason = "the interpreter's interface")]
    unsafe fn __releasebuffer__(&self, view: *mut Py_buffer) {
        // SAFETY: the interpreter releases what `__getbuffer__` filled.
        unsafe { release(view) }
    }
}
