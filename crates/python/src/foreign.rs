//! The interface to other languages: buffers and Arrow C streams. The only module with `unsafe`.
#![allow(unsafe_code, reason = "the interpreter's buffers and Arrow's C streams are raw pointers")]

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_schema::Schema;
use arrow_schema::ffi::FFI_ArrowSchema;
use bytemuck::NoUninit;
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi::{
    Py_buffer, PyBUF_C_CONTIGUOUS, PyBUF_F_CONTIGUOUS, PyBUF_FORMAT, PyBUF_ND, PyBUF_STRIDES, PyBUF_WRITABLE,
};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::any::Any;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{NonNull, null_mut};

/// The name of a capsule with a stream in Arrow's PyCapsule interface.
const STREAM: &CStr = c"arrow_array_stream";

/// The elements of a buffer: their format, in the notation of Python's `struct`, and their positions.
pub struct Layout {
    format: CString,
    item_size: isize,
    shape: Vec<isize>,
    strides: Vec<isize>,
    /// True if the first axis varies fastest and that makes a difference.
    is_fortran: bool,
}

impl Layout {
    /// The layout of elements without gaps. `None` if the shape is larger than the address space.
    pub fn new(format: &str, item_size: usize, shape: &[usize], is_fortran: bool) -> Option<Self> {
        let shape: Vec<isize> = shape.iter().map(|&extent| extent.try_into().ok()).collect::<Option<_>>()?;
        let item_size = isize::try_from(item_size).ok()?;
        let mut strides = vec![item_size; shape.len()];
        let mut step = item_size;
        let mut set = |axis: usize| {
            strides[axis] = step;
            step = step.checked_mul(shape[axis].max(1))?;
            Some(())
        };
        match is_fortran {
            true => (0..shape.len()).try_for_each(&mut set)?,
            false => (0..shape.len()).rev().try_for_each(&mut set)?,
        }
        let is_fortran = is_fortran && shape.len() > 1;
        Some(Layout { format: CString::new(format).ok()?, item_size, shape, strides, is_fortran })
    }

    /// The layout of single bytes.
    fn flat(length: usize) -> Self {
        Layout::new("B", 1, &[length], false).expect("a slice fits the address space")
    }
}

/// Owned values whose views are writable.
pub struct Owned {
    start: NonNull<u8>,
    length: usize,
    /// The vector, which has no other owner.
    _values: Box<dyn Any + Send + Sync>,
}

// SAFETY: it is the memory of a vector, which has no thread; this crate itself never reads or writes it.
unsafe impl Send for Owned {}
// SAFETY: as above. Those who have views of it keep their own order, as with every array of NumPy.
unsafe impl Sync for Owned {}

impl Owned {
    /// Takes ownership of a vector.
    pub fn new<T: NoUninit + Send + Sync>(mut values: Vec<T>) -> Self {
        let length = size_of_val(&values[..]);
        let start = NonNull::new(values.as_mut_ptr()).expect("a vector's pointer is never null").cast();
        Owned { start, length, _values: Box::new(values) }
    }

    /// Lends the bytes to a view.
    pub fn lend(&self, owner: Bound<'_, PyAny>, view: *mut Py_buffer, flags: c_int) -> PyResult<()> {
        fill(owner, view, flags, self.start.as_ptr(), self.length, true, Layout::flat(self.length))
    }
}

/// Lends bytes that `owner` keeps alive: as the elements of an array, or as single bytes.
pub fn lend(
    owner: Bound<'_, PyAny>,
    view: *mut Py_buffer,
    flags: c_int,
    bytes: &[u8],
    layout: Option<Layout>,
) -> PyResult<()> {
    let layout = layout.unwrap_or_else(|| Layout::flat(bytes.len()));
    fill(owner, view, flags, bytes.as_ptr().cast_mut(), bytes.len(), false, layout)
}

fn fill(
    owner: Bound<'_, PyAny>,
    view: *mut Py_buffer,
    flags: c_int,
    start: *mut u8,
    length: usize,
    is_writable: bool,
    layout: Layout,
) -> PyResult<()> {
    let asks = |flag| flags & flag == flag;
    // SAFETY: the interpreter gives a view that nobody else has, or null.
    let Some(view) = (unsafe { view.as_mut() }) else { return Err(PyBufferError::new_err("there is no view to fill")) };
    view.obj = null_mut();
    if asks(PyBUF_WRITABLE) && !is_writable {
        return Err(PyBufferError::new_err("the elements are read-only"));
    }
    if layout.is_fortran && (!asks(PyBUF_STRIDES) || asks(PyBUF_C_CONTIGUOUS)) {
        return Err(PyBufferError::new_err("the first axis varies fastest, so the view needs strides"));
    }
    if !layout.is_fortran && layout.shape.len() > 1 && asks(PyBUF_F_CONTIGUOUS) && !asks(PyBUF_C_CONTIGUOUS) {
        return Err(PyBufferError::new_err("the last axis varies fastest"));
    }
    let mut layout = Box::new(layout);
    view.buf = start.cast();
    view.len = length as isize;
    view.readonly = c_int::from(!is_writable);
    view.itemsize = layout.item_size;
    view.format = if asks(PyBUF_FORMAT) { layout.format.as_ptr().cast_mut().cast::<c_char>() } else { null_mut() };
    view.ndim = layout.shape.len() as c_int;
    view.shape = if asks(PyBUF_ND) { layout.shape.as_mut_ptr() } else { null_mut() };
    view.strides = if asks(PyBUF_STRIDES) { layout.strides.as_mut_ptr() } else { null_mut() };
    view.suboffsets = null_mut();
    view.internal = Box::into_raw(layout).cast::<c_void>();
    view.obj = owner.into_ptr();
    Ok(())
}

/// Releases what [`fill`] lent to a view.
///
/// # Safety
/// The view must have been filled by [`fill`], and must be released only once.
pub unsafe fn release(view: *mut Py_buffer) {
    // SAFETY: `internal` is the box that `fill` left there.
    drop(unsafe { Box::from_raw((*view).internal.cast::<Layout>()) });
}

/// Wraps a C stream in a Python capsule.
pub fn capsule(py: Python<'_>, stream: FFI_ArrowArrayStream) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// Wraps a schema in a Python capsule.
pub fn schema_capsule<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(|error| PyValueError::new_err(error.to_string()))?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

/// Returns the C stream of an object that has one.
pub fn stream(from: &Bound<'_, PyAny>) -> PyResult<FFI_ArrowArrayStream> {
    let Ok(give) = from.getattr("__arrow_c_stream__") else {
        let name = from.get_type().qualname()?;
        return Err(PyTypeError::new_err(format!("{name} is not a table: it has no `__arrow_c_stream__`")));
    };
    let given = give.call0()?;
    let given =
        given.cast::<PyCapsule>().map_err(|_| PyTypeError::new_err("`__arrow_c_stream__` did not return a capsule"))?;
    let start = given.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds a stream. It is moved out, and what stays behind says so.
    Ok(unsafe { FFI_ArrowArrayStream::from_raw(start.as_ptr()) })
}
