//! Arrays that are read on indexing, or viewed in place.

mod dtype;
mod index;
mod item_type;
mod thumbnail;

pub use item_type::Walked;

use crate::finding::Finding;
use crate::foreign::{Layout, capsule, lend, schema_capsule};
use crate::held::Held;
use crate::memory::{Elements, Memory, in_place};
use crate::msgpack;
use crate::recipe::Recipe;
use crate::stats;
use crate::table::batches;
use crate::work::work;
use arrow_array::RecordBatchReader;
use index::Picked;
use ndbytes::ndarray::SliceInfoElem;
use ndbytes::rmpv::Value;
use ndbytes_arrow::tensors::TensorReader;
use ndbytes_cli::stats_json::StatsObject;
use pyo3::exceptions::{PyBufferError, PySystemError, PyTypeError, PyValueError};
use pyo3::ffi::Py_buffer;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyTuple};
use std::ffi::c_int;
use std::sync::Arc;
use thumbnail::{Thumbnail, thumbnail};

/// The name of the column for an array in Arrow's C stream.
const COLUMN: &str = "values";

/// An array in a file. It is read when you index it or convert it to NumPy.
///
/// ``numpy.asarray(array)`` is a view of the file. Compressed elements, as in b2nd, are
/// decoded. ``with`` closes it.
///
/// Example:
///     >>> import ndbytes
///     >>> field = ndbytes.open_array("temperatures.b2nd")
///     >>> field.shape, field[0, :2].tolist()
///     ((168, 6), [90, 115])
#[pyclass(frozen, module = "ndbytes", weakref)]
pub struct Array {
    held: Held<Shared>,
    /// How to open it again in another process.
    recipe: Recipe,
}

/// An array, and its Python objects.
struct Shared {
    array: Arc<ndbytes::Array<'static>>,
    /// A NumPy array that views the elements in place; `None` if they must be decoded.
    view: PyOnceLock<Option<Py<PyAny>>>,
}

impl Array {
    pub fn new(array: ndbytes::Array<'static>, recipe: Recipe) -> Self {
        Array { held: Held::new("array", Shared { array: Arc::new(array), view: PyOnceLock::new() }), recipe }
    }

    /// The array, unless it is closed.
    fn array(&self) -> PyResult<Arc<ndbytes::Array<'static>>> {
        Ok(Arc::clone(&self.held.get()?.array))
    }

    /// The named values of a b2nd array. Other formats have none.
    fn named<'py>(
        &self,
        py: Python<'py>,
        names: fn(&B2nd) -> Vec<String>,
        value: fn(&B2nd, &str) -> ndbytes::Result<Value>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let named = PyDict::new(py);
        if let ndbytes::Array::B2nd(array) = &*self.array()? {
            for name in names(array) {
                let value = value(array, &name).map_err(|error| self.recipe.raise(py, error))?;
                named.set_item(name, msgpack::value(py, &value)?)?;
            }
        }
        Ok(named)
    }

    /// A NumPy array that views the elements in place.
    fn view<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let held = self.held.get()?;
        let made = held.view.get_or_try_init(py, || {
            // Remote arrays are only fetched when they are indexed.
            if self.recipe.is_remote() || matches!(&*held.array, ndbytes::Array::B2nd(_)) {
                return Ok::<_, PyErr>(None);
            }
            let array = Arc::clone(&held.array);
            if work(py, move || in_place(&array).is_none())? {
                return Ok(None);
            }
            let order = if held.array.is_fortran_order() { "F" } else { "C" };
            let elements = Bound::new(py, Elements(Arc::clone(&held.array)))?;
            Ok(Some(over(&held.array, elements.into_any(), held.array.shape(), order)?.unbind()))
        })?;
        Ok(made.as_ref().map(|view| view.bind(py).clone()))
    }

    /// Copies some of the elements to memory.
    fn read<'py>(&self, py: Python<'py>, slices: Vec<SliceInfoElem>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
        let array = self.array()?;
        let read = Arc::clone(&array);
        let bytes = work(py, move || match &*read {
            ndbytes::Array::B2nd(array) => array.slice_to_bytes(slices),
            array => gather(array, slices),
        })?;
        let memory = Bound::new(py, Memory::new(bytes.map_err(|error| self.recipe.raise(py, error))?))?;
        over(&array, memory.into_any(), shape, "C")
    }
}

/// Returns a NumPy array with a shape and an order that views the bytes of an array's elements.
fn over<'py>(
    array: &ndbytes::Array<'static>,
    bytes: Bound<'py, PyAny>,
    shape: &[usize],
    order: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = bytes.py();
    let arguments = PyDict::new(py);
    arguments.set_item("dtype", dtype::of(py, &array.item_type())?)?;
    arguments.set_item("buffer", bytes)?;
    arguments.set_item("order", order)?;
    py.import(intern!(py, "numpy"))?.getattr("ndarray")?.call((PyTuple::new(py, shape)?,), Some(&arguments))
}

type B2nd = ndbytes::b2nd::Array<'static>;

/// Returns the bytes of some elements, in C order.
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
    /// The length of each axis.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.array()?.shape())
    }

    /// The number of axes.
    #[getter]
    fn ndim(&self) -> PyResult<usize> {
        Ok(self.array()?.shape().len())
    }

    /// The number of elements.
    #[getter]
    fn size(&self) -> PyResult<u64> {
        Ok(self.array()?.items().count())
    }

    /// The size of all decoded elements in bytes.
    #[getter]
    fn nbytes(&self) -> PyResult<u64> {
        Ok(self.size()?.saturating_mul(self.array()?.item_type().stride()))
    }

    /// The type of the elements. Types that NumPy does not support are shown as their parts, or as raw bytes.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dtype::of(py, &self.array()?.item_type())
    }

    /// The format: ``idx``, ``rawarray``, ``b2nd`` or ``npy``.
    #[getter]
    fn format(&self) -> PyResult<String> {
        Ok(self.array()?.format().to_string())
    }

    /// True if the first axis varies fastest.
    #[getter]
    fn is_fortran(&self) -> PyResult<bool> {
        Ok(self.array()?.is_fortran_order())
    }

    /// The length of a chunk along each axis, or ``None`` if the format has no chunks.
    #[getter]
    fn chunks<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        match &*self.array()? {
            ndbytes::Array::B2nd(array) => PyTuple::new(py, array.chunk_shape()).map(Some),
            _ => Ok(None),
        }
    }

    /// The length of a block along each axis, or ``None`` if the format has no blocks.
    #[getter]
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        match &*self.array()? {
            ndbytes::Array::B2nd(array) => PyTuple::new(py, array.block_shape()).map(Some),
            _ => Ok(None),
        }
    }

    /// The attributes of b2nd.
    #[getter]
    fn attrs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.named(py, ndbytes::b2nd::Array::attribute_names, ndbytes::b2nd::Array::attribute_value)
    }

    /// The metalayers of b2nd, except its own.
    #[getter]
    fn meta<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.named(py, ndbytes::b2nd::Array::metalayer_names, ndbytes::b2nd::Array::metalayer_value)
    }

    /// Findings that did not prevent reading.
    #[getter]
    fn warnings(&self) -> PyResult<Vec<Finding>> {
        Ok(self.array()?.warnings().iter().cloned().map(Finding::from).collect())
    }

    /// The errors that ``open`` tolerated at the caller's request.
    #[getter]
    fn tolerated(&self) -> PyResult<Vec<Finding>> {
        Ok(self.array()?.tolerated().iter().cloned().map(Finding::from).collect())
    }

    /// Computes the statistics of all elements: see ``ndbytes.stats``.
    ///
    /// Raises:
    ///     InvalidError: if a chunk is broken.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> ndbytes.open_array("temperatures.b2nd").stats()["series"][0]["min"]
    ///     90
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let array = self.array()?;
        stats::of(py, move || StatsObject::of_array(&array)).map_err(|error| self.recipe.about(py, error))
    }

    fn __len__(&self) -> PyResult<usize> {
        self.array()?
            .shape()
            .first()
            .copied()
            .ok_or_else(|| PyTypeError::new_err("an array without axes has no length"))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(view) = self.view(py)? {
            return view.get_item(key);
        }
        match index::picked(key, self.array()?.shape())? {
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
            return Err(PyValueError::new_err("the elements must be decoded, so an array needs a copy"));
        }
        let is_copy = view.is_none();
        let array = match view {
            Some(view) => view,
            None => {
                let array = self.array()?;
                let all = array.shape().iter().map(|_| SliceInfoElem::Slice { start: 0, end: None, step: 1 });
                self.read(py, all.collect(), array.shape())?
            }
        };
        let other = match &dtype {
            Some(dtype) => !array.getattr("dtype")?.eq(dtype)?,
            None => false,
        };
        if other && copy == Some(false) {
            return Err(PyValueError::new_err("converting the type needs a copy"));
        }
        match dtype.filter(|_| other) {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None if copy == Some(true) && !is_copy => array.call_method0("copy"),
            None => Ok(array),
        }
    }

    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<Bound<'py, PyAny>>,
        max_version: Option<Bound<'py, PyAny>>,
        dl_device: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = self.__array__(py, None, None)?;
        // An older NumPy knows `stream` alone, so that what nobody gave is not handed on.
        let options = PyDict::new(py);
        for (name, value) in [("stream", stream), ("max_version", max_version), ("dl_device", dl_device)] {
            if let Some(value) = value {
                options.set_item(name, value)?;
            }
        }
        if let Some(copy) = copy {
            options.set_item("copy", copy)?;
        }
        match array.call_method("__dlpack__", (), Some(&options)) {
            // Old consumers cannot be told that elements are read-only: they get some of their own.
            Err(error) if copy.is_none() && error.is_instance_of::<PyBufferError>(py) => {
                let native = array.getattr("dtype")?.call_method1("newbyteorder", ("=",))?;
                array.call_method1("astype", (native,))?.call_method("__dlpack__", (), Some(&options))
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
        let array = slf.get().array()?;
        let layout = match slf.get().view(slf.py())? {
            Some(_) => dtype::format(&array.item_type()).and_then(|format| {
                let size = array.item_type().stride() as usize;
                Layout::new(&format, size, array.shape(), array.is_fortran_order())
            }),
            None => return Err(PyBufferError::new_err("the elements must be decoded, so they have no buffer")),
        };
        let Some(layout) = layout else {
            return Err(PyBufferError::new_err("the buffer protocol has no such element type"));
        };
        // The array may be closed while the buffer is lent: its owner is something that is not.
        let elements = Bound::new(slf.py(), Elements(Arc::clone(&array)))?.into_any();
        lend(elements, view, flags, in_place(&array).unwrap_or_default(), Some(layout))
    }

    /// The items along the first axis as a table with one column, ``values``: numbers, or tensors of a fixed shape.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets a producer give its own types; the consumer casts.
        let _ = requested_schema;
        let reader = TensorReader::new(self.array()?, COLUMN).map_err(|error| self.recipe.raise_arrow(py, error))?;
        capsule(py, batches::stream(Box::new(reader)))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let reader = TensorReader::new(self.array()?, COLUMN).map_err(|error| self.recipe.raise_arrow(py, error))?;
        schema_capsule(py, &reader.schema())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.recipe.reduce(py)
    }

    /// Closes the array. Its methods then raise ``ValueError``. A second call does nothing.
    ///
    /// NumPy views and other objects made from the array stay valid. The file is closed when the last one is gone.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> with ndbytes.open_array("surface.ra") as array:
    ///     ...     low = array[...].min()
    fn close(&self) {
        self.held.close();
    }

    /// True after ``close``, or after the ``with`` block.
    #[getter]
    fn closed(&self) -> bool {
        self.held.peek().is_none()
    }

    fn __enter__(slf: Bound<'_, Self>) -> PyResult<Bound<'_, Self>> {
        slf.get().held.get()?;
        Ok(slf)
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.held.close();
    }

    fn _repr_html_(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyAny>> {
        slf.py().import("ndbytes._html")?.call_method1("array", (slf,))
    }

    /// Returns the index of the part that is shown, its picture as PNG, and its statistics as JSON; or reasons why
    /// there are none.
    fn _thumbnail<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let (array, limits) = (self.array()?, self.recipe.limits());
        let Thumbnail { part, picture, statistics } =
            work(py, move || thumbnail(&array, limits))?.map_err(|error| self.recipe.raise(py, error))?;
        let (png, no_picture) = (picture.as_ref().ok().map(|png| PyBytes::new(py, png)), picture.as_ref().err());
        (part, png, no_picture, statistics.as_ref().ok(), statistics.as_ref().err()).into_pyobject(py)
    }

    /// Returns whether unread parts must be fetched from a server.
    fn _is_remote(&self) -> bool {
        self.recipe.is_remote()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        if self.held.peek().is_none() {
            return Ok("<ndbytes.Array, closed>".into());
        }
        let shape = self.shape(py)?.repr()?;
        let chunks =
            self.chunks(py)?.map(|chunks| Ok::<_, PyErr>(format!(", chunks={}", chunks.repr()?))).transpose()?;
        let chunks = chunks.unwrap_or_default();
        Ok(format!("<ndbytes.Array {} shape={shape} dtype={}{chunks}>", self.format()?, self.array()?.item_type()))
    }
}

/// Returns the error for a scalar. NumPy reports a string with invalid characters as an internal error of the
/// interpreter.
fn scalar_error(py: Python<'_>, error: PyErr) -> PyErr {
    match error.is_instance_of::<PySystemError>(py) {
        true => PyValueError::new_err("the text has a character that Unicode does not have"),
        false => error,
    }
}
