//! Arrays: read when they are indexed, or seen where they stand.

mod dtype;
mod index;
mod item_type;

pub use item_type::Walked;

use crate::errors::raise;
use crate::finding::Finding;
use crate::foreign::{Layout, lend, release};
use crate::memory::{Elements, Memory, in_place};
use crate::msgpack;
use crate::recipe::Recipe;
use crate::stats;
use crate::work::work;
use index::Picked;
use ndbytes::ndarray::SliceInfoElem;
use ndbytes::rmpv::Value;
use ndbytes_cli::stats_json::StatsObject;
use pyo3::exceptions::{PyBufferError, PySystemError, PyTypeError, PyValueError};
use pyo3::ffi::Py_buffer;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};
use std::ffi::c_int;
use std::sync::Arc;

/// An array of a file.
#[pyclass(frozen, module = "ndbytes", weakref)]
pub struct Array {
    array: Arc<ndbytes::Array<'static>>,
    /// How to open it again, in another process.
    recipe: Recipe,
    /// NumPy's array over the elements where they stand, or `None` if they have to be decoded.
    view: PyOnceLock<Option<Py<PyAny>>>,
}

impl Array {
    pub fn new(array: ndbytes::Array<'static>, recipe: Recipe) -> Self {
        Array { array: Arc::new(array), recipe, view: PyOnceLock::new() }
    }

    fn b2nd(&self) -> Option<&B2nd> {
        match &*self.array {
            ndbytes::Array::B2nd(array) => Some(array),
            _ => None,
        }
    }

    /// The values that a b2nd array has under names. Other formats have none.
    fn named<'py>(
        &self,
        py: Python<'py>,
        names: fn(&B2nd) -> Vec<String>,
        value: fn(&B2nd, &str) -> ndbytes::Result<Value>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let named = PyDict::new(py);
        if let Some(array) = self.b2nd() {
            for name in names(array) {
                let value = value(array, &name).map_err(|error| raise(py, error))?;
                named.set_item(name, msgpack::value(py, &value)?)?;
            }
        }
        Ok(named)
    }

    /// NumPy's array over the elements where they stand.
    fn view<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let made = self.view.get_or_try_init(py, || {
            // What is fetched by ranges is fetched when it is indexed.
            if self.recipe.is_remote() || self.b2nd().is_some() {
                return Ok::<_, PyErr>(None);
            }
            let array = Arc::clone(&self.array);
            if work(py, move || in_place(&array).is_none())? {
                return Ok(None);
            }
            let order = if self.array.is_fortran_order() { "F" } else { "C" };
            let elements = Bound::new(py, Elements(Arc::clone(&self.array)))?;
            Ok(Some(self.over(elements.into_any(), self.array.shape(), order)?.unbind()))
        })?;
        Ok(made.as_ref().map(|view| view.bind(py).clone()))
    }

    /// NumPy's array of a shape and an order, over bytes that are elements of this array.
    fn over<'py>(&self, bytes: Bound<'py, PyAny>, shape: &[usize], order: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = bytes.py();
        let arguments = PyDict::new(py);
        arguments.set_item("dtype", self.dtype(py)?)?;
        arguments.set_item("buffer", bytes)?;
        arguments.set_item("order", order)?;
        py.import(intern!(py, "numpy"))?.getattr("ndarray")?.call((PyTuple::new(py, shape)?,), Some(&arguments))
    }

    /// Some of the elements, in memory of their own.
    fn read<'py>(&self, py: Python<'py>, slices: Vec<SliceInfoElem>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
        let array = Arc::clone(&self.array);
        let bytes = work(py, move || match &*array {
            ndbytes::Array::B2nd(array) => array.slice_to_bytes(slices),
            array => gather(array, slices),
        })?;
        let memory = Bound::new(py, Memory::new(bytes.map_err(|error| raise(py, error))?))?;
        self.over(memory.into_any(), shape, "C")
    }
}

type B2nd = ndbytes::b2nd::Array<'static>;

/// The bytes of some elements, in C order.
fn gather(array: &ndbytes::Array<'static>, slices: Vec<SliceInfoElem>) -> ndbytes::Result<Vec<u8>> {
    let mut items = array.select(slices)?;
    let (count, piece) = (items.count(), items.piece());
    let mut bytes = Vec::new();
    let mut start = 0;
    while start < count {
        let part = items.read(start, piece.min(count - start))?;
        bytes.extend_from_slice(part);
        start += piece;
    }
    Ok(bytes)
}

#[pymethods]
impl Array {
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.array.shape())
    }

    #[getter]
    fn ndim(&self) -> usize {
        self.array.shape().len()
    }

    #[getter]
    fn size(&self) -> u64 {
        self.array.items().count()
    }

    #[getter]
    fn nbytes(&self) -> u64 {
        self.size().saturating_mul(self.array.item_type().stride())
    }

    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dtype::of(py, &self.array.item_type())
    }

    #[getter]
    fn format(&self) -> String {
        self.array.format().to_string()
    }

    #[getter]
    fn is_fortran(&self) -> bool {
        self.array.is_fortran_order()
    }

    #[getter]
    fn chunks<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.b2nd().map(|array| PyTuple::new(py, array.chunk_shape())).transpose()
    }

    #[getter]
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.b2nd().map(|array| PyTuple::new(py, array.block_shape())).transpose()
    }

    #[getter]
    fn attrs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.named(py, ndbytes::b2nd::Array::attribute_names, ndbytes::b2nd::Array::attribute_value)
    }

    #[getter]
    fn meta<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.named(py, ndbytes::b2nd::Array::metalayer_names, ndbytes::b2nd::Array::metalayer_value)
    }

    #[getter]
    fn warnings(&self) -> Vec<Finding> {
        self.array.warnings().iter().cloned().map(Finding::from).collect()
    }

    #[getter]
    fn tolerated(&self) -> Vec<Finding> {
        self.array.tolerated().iter().cloned().map(Finding::from).collect()
    }

    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let array = Arc::clone(&self.array);
        stats::of(py, move || StatsObject::of_array(&array))
    }

    fn __len__(&self) -> PyResult<usize> {
        self.array.shape().first().copied().ok_or_else(|| PyTypeError::new_err("an array without axes has no length"))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(view) = self.view(py)? {
            return view.get_item(key);
        }
        match index::picked(key, self.array.shape())? {
            Picked::Box { slices, read, shown, is_scalar } => {
                let array = self.read(py, slices, &read)?;
                match shown {
                    _ if is_scalar => array.get_item(PyTuple::empty(py)).map_err(|error| scalar_error(py, error)),
                    Some(shape) => array.call_method1("reshape", (PyTuple::new(py, shape)?,)),
                    None => Ok(array),
                }
            }
            // Lists, masks and the like: NumPy knows what they mean.
            Picked::Other => self.__array__(py, None, None)?.get_item(key),
        }
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let view = self.view(py)?;
        if view.is_none() && copy == Some(false) {
            return Err(PyValueError::new_err("the elements have to be decoded: there is no array without a copy"));
        }
        let is_copy = view.is_none();
        let array = match view {
            Some(view) => view,
            None => {
                let all = self.array.shape().iter().map(|_| SliceInfoElem::Slice { start: 0, end: None, step: 1 });
                self.read(py, all.collect(), self.array.shape())?
            }
        };
        let other = match &dtype {
            Some(dtype) => !array.getattr("dtype")?.eq(dtype)?,
            None => false,
        };
        if other && copy == Some(false) {
            return Err(PyValueError::new_err("another type takes a copy"));
        }
        match dtype.filter(|_| other) {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None if copy == Some(true) && !is_copy => array.call_method0("copy"),
            None => Ok(array),
        }
    }

    #[pyo3(signature = (**options))]
    fn __dlpack__<'py>(&self, py: Python<'py>, options: Option<Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        let array = self.__array__(py, None, None)?;
        let exported = array.call_method("__dlpack__", (), options.as_ref());
        let may_copy = match &options {
            Some(options) => options.get_item("copy")?.is_none_or(|copy| copy.is_none()),
            None => true,
        };
        match exported {
            // Old consumers cannot be told that elements are read-only: they get some of their own.
            Err(error) if may_copy && error.is_instance_of::<PyBufferError>(py) => {
                let native = array.getattr("dtype")?.call_method1("newbyteorder", ("=",))?;
                array.call_method1("astype", (native,))?.call_method("__dlpack__", (), options.as_ref())
            }
            exported => exported,
        }
    }

    fn __dlpack_device__(&self) -> (i32, i32) {
        // The processor's memory.
        (1, 0)
    }

    #[allow(unsafe_code, reason = "the interpreter's interface")]
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut Py_buffer, flags: c_int) -> PyResult<()> {
        let this = slf.get();
        let layout = match this.view(slf.py())? {
            Some(_) => dtype::format(&this.array.item_type()).and_then(|format| {
                let size = this.array.item_type().stride() as usize;
                Layout::new(&format, size, this.array.shape(), this.array.is_fortran_order())
            }),
            None => return Err(PyBufferError::new_err("the elements have to be decoded: there is no buffer of them")),
        };
        let Some(layout) = layout else {
            return Err(PyBufferError::new_err("a buffer cannot say what type the elements have"));
        };
        let bytes = in_place(&this.array).unwrap_or_default();
        lend(slf.clone().into_any(), view, flags, bytes, Some(layout))
    }

    #[allow(unsafe_code, reason = "the interpreter's interface")]
    unsafe fn __releasebuffer__(&self, view: *mut Py_buffer) {
        // SAFETY: the interpreter releases what `__getbuffer__` filled.
        unsafe { release(view) }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.recipe.reduce(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shape = self.shape(py)?.repr()?;
        let chunks =
            self.chunks(py)?.map(|chunks| Ok::<_, PyErr>(format!(", chunks={}", chunks.repr()?))).transpose()?;
        let chunks = chunks.unwrap_or_default();
        Ok(format!("<ndbytes.Array {} shape={shape} dtype={}{chunks}>", self.format(), self.array.item_type()))
    }
}

/// NumPy reports a text whose characters are none as a fault of the interpreter.
fn scalar_error(py: Python<'_>, error: PyErr) -> PyErr {
    match error.is_instance_of::<PySystemError>(py) {
        true => PyValueError::new_err("the text has a character that Unicode does not have"),
        false => error,
    }
}
