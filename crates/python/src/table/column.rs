//! Columns as NumPy arrays.

use crate::errors::raise;
use crate::memory::Memory;
use crate::recipe::Recipe;
use crate::work::work;
use bytemuck::NoUninit;
use ndbytes::idv::{ColumnType, DenseItem, ItemType, Items, Table, Values};
use ndbytes::{Error, Limits};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice, PyTuple};
use std::sync::Arc;

/// A column of a table: ``table["Name"]``.
///
/// Example:
///     >>> import ndbytes
///     >>> ndbytes.open_table("trees.idv")["Name"].type
///     'String'
#[pyclass(frozen, module = "ndbytes")]
pub struct Column {
    table: Arc<Table<'static>>,
    /// The name.
    #[pyo3(get)]
    name: String,
    column_type: Option<ColumnType>,
    recipe: Recipe,
}

impl Column {
    pub fn new(table: Arc<Table<'static>>, name: &str, recipe: Recipe) -> ndbytes::Result<Self> {
        let column_type = table.column(name)?.column_type().cloned();
        Ok(Column { table, name: name.to_owned(), column_type, recipe })
    }

    /// Reads values of this column, or of one of its annotations.
    fn values(
        &self,
        py: Python<'_>,
        read: impl FnOnce(ndbytes::idv::Column<'_>) -> ndbytes::Result<Option<Values>> + Send + 'static,
    ) -> PyResult<Option<Values>> {
        let (table, name) = (Arc::clone(&self.table), self.name.clone());
        work(py, move || read(table.column(&name)?))?.map_err(|error| self.recipe.raise(py, error))
    }
}

#[pymethods]
impl Column {
    /// The type in ML.NET's notation, or ``None`` if it is unknown.
    #[getter]
    fn r#type(&self) -> Option<String> {
        self.column_type.as_ref().map(ToString::to_string)
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(usize::try_from(self.table.rows())?)
    }

    /// The slot names of vectors, or ``None`` if they have none.
    #[getter]
    fn slot_names(&self, py: Python<'_>) -> PyResult<Option<Vec<String>>> {
        Ok(self.values(py, |column| column.slot_names())?.as_ref().and_then(texts))
    }

    /// The values of the categories: key 1 is the first, key 0 is missing.
    #[getter]
    fn categories<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let values = self.values(py, |column| column.key_values())?;
        let made = values.map(|values| annotated(py, values, self.recipe.limits())).transpose();
        made.map_err(|error| self.recipe.about(py, error))
    }

    /// Reads the values of all rows or some of them: one axis, and a second one for vectors.
    ///
    /// Times are ``M8[100ns]``, durations ``m8[100ns]``, and texts objects.
    ///
    /// Parameters:
    ///     start: the first row.
    ///     stop: the end row, exclusive; by default, the end of the table.
    ///
    /// Raises:
    ///     TypeError: if NumPy has no array type for the values. Use Arrow.
    ///     ValueError: for missing values and for vectors of different lengths. Use Arrow.
    ///     InvalidError: if a block is broken.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> ndbytes.open_table("trees.idv")["Name"].read(0, 2).tolist()
    ///     ['pine', 'fir']
    #[pyo3(signature = (start=0, stop=None))]
    fn read<'py>(&self, py: Python<'py>, start: u64, stop: Option<u64>) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.table.rows();
        let stop = stop.unwrap_or(rows).min(rows);
        let values = self.values(py, move |column| column.read_rows(start.min(stop)..stop).map(Some))?;
        let values = values.expect("a column has values");
        let made = numpy(py, values, self.column_type.as_ref(), self.recipe.limits());
        made.map_err(|error| self.recipe.about(py, error))
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("the values must be decoded, so an array needs a copy"));
        }
        let array = self.read(py, 0, None)?;
        match dtype {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None => Ok(array),
        }
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let rows = isize::try_from(self.table.rows())?;
        if let Ok(slice) = key.cast::<PySlice>() {
            let indices = slice.indices(rows)?;
            if indices.slicelength == 0 {
                // Of no rows, the length of the vectors is that of the first one.
                return self.read(py, 0, Some(1))?.get_item(PySlice::new(py, 0, 0, 1));
            }
            let last = indices.start + indices.step * (indices.slicelength as isize - 1);
            let (low, high) = (indices.start.min(last), indices.start.max(last));
            return self.read(py, low as u64, Some(high as u64 + 1))?.get_item(every(py, indices.step)?);
        }
        let Ok(place) = key.call_method0("__index__").and_then(|place| place.extract::<isize>()) else {
            return Err(PyTypeError::new_err("index a column by a row or a slice; `read()` returns all values"));
        };
        let row = if place < 0 { place + rows } else { place };
        if !(0..rows).contains(&row) {
            return Err(PyIndexError::new_err(format!("row {place} is out of range: there are {rows} rows")));
        }
        self.read(py, row as u64, Some(row as u64 + 1))?.get_item(0)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.read(py, 0, None)?.call_method0("__iter__")
    }

    fn __repr__(&self) -> String {
        let name = self.r#type().unwrap_or_else(|| "unknown".into());
        format!("<ndbytes.Column {:?} of {} rows: {name}>", self.name, self.table.rows())
    }
}

/// Returns the slice of all elements, with a step.
fn every(py: Python<'_>, step: isize) -> PyResult<Bound<'_, PyAny>> {
    py.import("builtins")?.getattr("slice")?.call1((py.None(), py.None(), step))
}

/// Returns the only vector of an annotation, as a one-dimensional array.
fn annotated<'py>(py: Python<'py>, values: Values, limits: Limits) -> PyResult<Bound<'py, PyAny>> {
    match texts(&values) {
        Some(texts) => objects(py, texts),
        None => numpy(py, values, None, limits)?.call_method1("reshape", (-1,)),
    }
}

/// Returns an array of Python strings.
fn objects(py: Python<'_>, texts: Vec<String>) -> PyResult<Bound<'_, PyAny>> {
    let arguments = PyDict::new(py);
    arguments.set_item("dtype", "O")?;
    py.import("numpy")?.getattr("array")?.call((texts,), Some(&arguments))
}

fn texts(values: &Values) -> Option<Vec<String>> {
    Some(values.items().texts()?.iter().map(|text| text.to_string_lossy().into_owned()).collect())
}

/// Returns values as a NumPy array: one axis for scalars, two for vectors of the same length.
fn numpy<'py>(
    py: Python<'py>,
    values: Values,
    column_type: Option<&ColumnType>,
    limits: Limits,
) -> PyResult<Bound<'py, PyAny>> {
    let is_vectors = values.are_vectors();
    macro_rules! dense {
        ($($kind:ident: $item:ty = $dtype:literal),*) => {
            match values.items() {
                $(Items::$kind(_) => plain::<$item>(py, values, $dtype, limits)?,)*
                Items::Bool(items) => {
                    // Vectors are made dense as bytes.
                    let bytes: Vec<u8> = items.iter().map(|&item| item.into()).collect();
                    let values = Values::with_layout(bytes, values.layout()).map_err(|error| raise(py, error))?;
                    plain::<u8>(py, values, "?", limits)?
                }
                Items::Text(_) if !is_vectors => {
                    return objects(py, texts(&values).unwrap_or_default());
                }
                _ => {
                    return Err(PyTypeError::new_err(
                        "NumPy has no array type for such values: read them with Arrow, e.g. `pyarrow.table(table)`",
                    ));
                }
            }
        };
    }
    let array = dense!(
        I8: i8 = "i1", I16: i16 = "i2", I32: i32 = "i4", I64: i64 = "i8", U8: u8 = "u1", U16: u16 = "u2", U32: u32 = "u4",
        U64: u64 = "u8", F32: f32 = "f4", F64: f64 = "f8", RowId: u128 = "V16"
    );
    match column_type.map(|it| it.item) {
        Some(ItemType::TimeSpan) => array.call_method1("view", ("m8[100ns]",)),
        Some(ItemType::DateTime) => {
            // The ticks of .NET count from the beginning of the year 1.
            let start = py.import("numpy")?.call_method1("datetime64", ("0001-01-01T00:00:00", "100ns"))?;
            array.call_method1("view", ("m8[100ns]",))?.add(start)
        }
        _ => Ok(array),
    }
}

/// Returns values of a plain type.
fn plain<'py, T: DenseItem + NoUninit + Send + Sync>(
    py: Python<'py>,
    values: Values,
    dtype: &str,
    limits: Limits,
) -> PyResult<Bound<'py, PyAny>> {
    let rows = values.rows();
    let is_vectors = values.are_vectors();
    let dense = work(py, move || values.to_dense::<T>(&limits))?.map_err(|error: Error| raise(py, error))?;
    let shape = match is_vectors {
        true => PyTuple::new(py, [rows, dense.ncols()])?,
        false => PyTuple::new(py, [rows])?,
    };
    let (items, _) = dense.into_raw_vec_and_offset();
    let arguments = PyDict::new(py);
    arguments.set_item("dtype", dtype)?;
    arguments.set_item("buffer", Bound::new(py, Memory::new(items))?)?;
    py.import("numpy")?.getattr("ndarray")?.call((shape,), Some(&arguments))
}
