//! Tables: Arrow streams, and columns as NumPy arrays.

pub mod batches;
mod column;

pub use batches::Batches;
pub use column::Column;

use crate::finding::Finding;
use crate::foreign::{capsule, schema_capsule};
use crate::held::Held;
use crate::recipe::Recipe;
use crate::stats;
use crate::work::work;
use ndbytes::idv;
use ndbytes_arrow::table::{self, Keys, Sparse, TextPolicy, Times};
use ndbytes_cli::cells;
use ndbytes_cli::stats_json::StatsObject;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple};
use std::ops::Range;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

/// A table in a file. pyarrow, polars, pandas and duckdb accept it directly, through Arrow's C stream. ``with`` closes it.
///
/// Example:
///     >>> import ndbytes
///     >>> trees = ndbytes.open_table("trees.idv")
///     >>> len(trees), trees["Name"].read()[0]
///     (4, 'pine')
#[pyclass(frozen, module = "ndbytes", weakref)]
pub struct Table {
    held: Held<Shared>,
    options: table::Options,
    /// The columns that were selected, or `None` for all.
    selected: Option<Vec<String>>,
    recipe: Recipe,
    /// The arguments of `with_options` and `select`, for another process.
    asked: Py<PyDict>,
}

/// A table, and its Python objects.
struct Shared {
    table: Arc<idv::Table<'static>>,
    /// The table in Arrow's form, created when it is first requested.
    arrow: OnceLock<table::ArrowTable>,
}

impl Shared {
    fn held(table: Arc<idv::Table<'static>>) -> Held<Self> {
        Held::new("table", Shared { table, arrow: OnceLock::new() })
    }
}

impl Table {
    pub fn new(py: Python<'_>, table: idv::Table<'static>, recipe: Recipe) -> PyResult<Self> {
        let options = table::Options::new().limits(recipe.limits());
        let (held, asked) = (Shared::held(Arc::new(table)), PyDict::new(py).unbind());
        Ok(Table { held, options, selected: None, recipe, asked })
    }

    /// The table, unless it is closed.
    fn table(&self) -> PyResult<Arc<idv::Table<'static>>> {
        Ok(Arc::clone(&self.held.get()?.table))
    }

    fn arrow(&self, py: Python<'_>) -> PyResult<table::ArrowTable> {
        let held = self.held.get()?;
        if let Some(made) = held.arrow.get() {
            return Ok(made.clone());
        }
        let (table, options) = (Arc::clone(&held.table), self.options.clone());
        let made = work(py, move || table::ArrowTable::new(table, options))?
            .map_err(|error| self.recipe.raise_arrow(py, error))?;
        Ok(held.arrow.get_or_init(|| made).clone())
    }

    /// The same table with another option, given by `name` and `value`.
    fn with(
        &self,
        py: Python<'_>,
        options: table::Options,
        selected: Option<Vec<String>>,
        asked: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let all = self.asked.bind(py).copy()?;
        all.update(asked.as_mapping())?;
        let (held, recipe) = (Shared::held(self.table()?), self.recipe.clone_ref(py));
        Ok(Table { held, options, selected, recipe, asked: all.unbind() })
    }
}

/// Parses a choice.
fn choice<T: FromStr<Err = String>>(name: &str) -> PyResult<T> {
    name.parse().map_err(PyValueError::new_err)
}

#[pymethods]
impl Table {
    fn __len__(&self) -> PyResult<usize> {
        Ok(usize::try_from(self.table()?.rows())?)
    }

    /// The names of the selected columns; by default, of all columns that can be read and are not hidden.
    #[getter]
    fn columns(&self) -> PyResult<Vec<String>> {
        let table = self.table()?;
        Ok(match &self.selected {
            Some(names) => names.clone(),
            None => {
                let seen = table.columns().filter(|column| column.is_readable() && !column.is_hidden());
                seen.map(|column| column.name()).collect()
            }
        })
    }

    /// The format: ``IDV``.
    #[getter]
    fn format(&self) -> &'static str {
        "IDV"
    }

    /// The version of the format, in ML.NET's numbering.
    #[getter]
    fn version(&self) -> PyResult<String> {
        Ok(self.table()?.version().to_string())
    }

    /// Findings that did not prevent reading.
    #[getter]
    fn warnings(&self) -> PyResult<Vec<Finding>> {
        Ok(self.table()?.warnings().iter().cloned().map(Finding::from).collect())
    }

    /// The errors that ``open`` tolerated at the caller's request.
    #[getter]
    fn tolerated(&self) -> PyResult<Vec<Finding>> {
        Ok(self.table()?.tolerated().iter().cloned().map(Finding::from).collect())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(name) = key.extract::<String>() {
            let column = Column::new(self.table()?, &name, self.recipe.clone_ref(py))
                .map_err(|error| self.recipe.raise(py, error))?;
            return Ok(Bound::new(py, column)?.into_any());
        }
        if let Ok(names) = key.extract::<Vec<String>>() {
            return Ok(Bound::new(py, self.select(py, names)?)?.into_any());
        }
        Err(PyTypeError::new_err(
            "a table is indexed by the name of a column, or by a list of names: `table.rows(start, stop)` gives rows, and \
             `table[\"name\"][start:stop]` the values of a column",
        ))
    }

    fn __contains__(&self, name: &str) -> PyResult<bool> {
        Ok(self.columns()?.iter().any(|column| column == name))
    }

    /// The length of a table is its number of rows, but its items are columns. Iteration is disabled because
    /// `pandas.DataFrame(table)` would mistake the names of the columns for values.
    fn __iter__(&self) -> PyResult<Bound<'_, PyAny>> {
        Err(PyTypeError::new_err(
            "a table is no sequence: `table.columns` are the names of its columns, `pyarrow.table(table)` has its values, and \
             `table.to_pandas()` is a DataFrame",
        ))
    }

    /// Computes the statistics of the columns: see ``ndbytes.stats``.
    ///
    /// Raises:
    ///     InvalidError: if a block is broken.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> ndbytes.open_table("trees.idv").stats()["series"][0]["name"]
    ///     'Name'
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (table, names) = (self.table()?, self.columns()?);
        stats::of(py, move || StatsObject::of_columns(&table, &names)).map_err(|error| self.recipe.about(py, error))
    }

    /// Converts the table to a ``pandas.DataFrame``, with ``from_arrow``. ``pandas.DataFrame(table)`` itself raises ``TypeError``.
    ///
    /// Raises:
    ///     ImportError: if pandas is not installed.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> ndbytes.open_table("trees.idv").to_pandas().shape[0]
    ///     4
    fn to_pandas<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pandas")?.getattr("DataFrame")?.call_method1("from_arrow", (slf,))
    }

    /// Converts the table to a ``polars.DataFrame``.
    ///
    /// Raises:
    ///     ImportError: if polars is not installed.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> ndbytes.open_table("trees.idv").to_polars().height
    ///     4
    fn to_polars<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("polars")?.getattr("DataFrame")?.call1((slf,))
    }

    /// Converts the table to a ``pyarrow.Table``.
    ///
    /// Raises:
    ///     ImportError: if pyarrow is not installed.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> ndbytes.open_table("trees.idv").to_arrow().num_rows
    ///     4
    fn to_arrow<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.getattr("table")?.call1((slf,))
    }

    /// Lists the names of the columns.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> ndbytes.open_table("trees.idv").keys()[0]
    ///     'Name'
    fn keys(&self) -> PyResult<Vec<String>> {
        self.columns()
    }

    /// Returns the table with only some columns. The others are not read.
    ///
    /// Parameters:
    ///     columns: their names, in the desired order.
    ///
    /// Raises:
    ///     KeyError: if there is no such column.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> ndbytes.open_table("trees.idv").select(["Name"]).columns
    ///     ['Name']
    fn select(&self, py: Python<'_>, columns: Vec<String>) -> PyResult<Self> {
        for name in &columns {
            self.table()?.column(name).map_err(|error| self.recipe.raise(py, error))?;
        }
        let asked = PyDict::new(py);
        asked.set_item("columns", &columns)?;
        self.with(py, self.options.clone().columns(columns.clone()), Some(columns), &asked)
    }

    /// Returns the same table with other options for Arrow.
    ///
    /// Parameters:
    ///     times: ``"us"`` means microseconds, and refuses fractions. ``"us-floor"`` rounds down, ``"ns"`` means nanoseconds, and
    ///         ``"ticks"`` means integers of 100 ns.
    ///     keys: ``"dictionary"``, ``"text"`` for the text of each category, or ``"raw"`` for the stored numbers.
    ///     sparse: ``"dense"``, or ``"struct"`` for the stored slots.
    ///     text: ``"strict"`` refuses unpaired surrogates, and ``"lossy"`` writes U+FFFD.
    ///     rows: the number of rows per batch.
    ///
    /// Raises:
    ///     ValueError: if an argument has an invalid value.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> ticks = ndbytes.open_table("trees.idv").with_options(times="ticks")
    #[pyo3(signature = (*, times=None, keys=None, sparse=None, text=None, rows=None))]
    fn with_options(
        &self,
        py: Python<'_>,
        times: Option<&str>,
        keys: Option<&str>,
        sparse: Option<&str>,
        text: Option<&str>,
        rows: Option<u64>,
    ) -> PyResult<Self> {
        let asked = PyDict::new(py);
        let mut options = self.options.clone();
        if let Some(name) = times {
            options = options.times(choice::<Times>(name)?);
            asked.set_item("times", name)?;
        }
        if let Some(name) = keys {
            options = options.keys(choice::<Keys>(name)?);
            asked.set_item("keys", name)?;
        }
        if let Some(name) = sparse {
            options = options.sparse(choice::<Sparse>(name)?);
            asked.set_item("sparse", name)?;
        }
        if let Some(name) = text {
            options = options.text(choice::<TextPolicy>(name)?);
            asked.set_item("text", name)?;
        }
        if let Some(rows) = rows {
            options = options.rows(rows);
            asked.set_item("rows", rows)?;
        }
        self.with(py, options, self.selected.clone(), &asked)
    }

    /// Returns some of the rows, as Arrow batches.
    ///
    /// Parameters:
    ///     start: the first row.
    ///     stop: the row after the last one.
    ///
    /// Raises:
    ///     ValueError: if Arrow cannot represent the columns.
    ///
    /// Example:
    ///     >>> import ndbytes, pyarrow
    ///     >>> pyarrow.table(ndbytes.open_table("trees.idv").rows(0, 2)).num_rows
    ///     2
    fn rows(&self, py: Python<'_>, start: u64, stop: u64) -> PyResult<Batches> {
        let table = self.arrow(py)?;
        let batches =
            work(py, move || table.batches_of(start..stop))?.map_err(|error| self.recipe.raise_arrow(py, error))?;
        Ok(Batches::new(Box::new(batches)))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface lets a producer give its own types; the consumer casts.
        let _ = requested_schema;
        let table = self.arrow(py)?;
        let batches = work(py, move || table.batches())?.map_err(|error| self.recipe.raise_arrow(py, error))?;
        capsule(py, batches::stream(Box::new(batches)))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.arrow(py)?.schema())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let opened = self.recipe.reduce(py)?;
        let again = py.import("ndbytes")?.getattr("_open_table_again")?;
        let asked = self.asked.bind(py).copy()?.into_any();
        let arguments = PyTuple::new(py, [opened.get_item(1)?.get_item(0)?, opened.get_item(1)?.get_item(1)?, asked])?;
        Ok(PyTuple::new(py, [again, arguments.into_any()])?.into_any())
    }

    /// Closes the table. Its methods then raise ``ValueError``. A second call does nothing.
    ///
    /// Columns, selections and streams made from the table stay valid. The file is closed when the last one is gone.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> with ndbytes.open_table("trees.idv") as table:
    ///     ...     rows = len(table)
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
        slf.py().import("ndbytes._html")?.call_method1("table", (slf,))
    }

    /// The first rows as text: a name, a type and cells for each of the first columns, or why there are none.
    fn _cells<'py>(&self, py: Python<'py>, rows: u64, columns: usize, room: usize) -> PyResult<Bound<'py, PyList>> {
        let (table, names) = (self.table()?, self.columns()?);
        let shown = work(py, move || {
            let rows = 0..rows.min(table.rows());
            let names = names.into_iter().take(columns);
            names.map(|name| shown(&table, name, rows.clone(), room)).collect::<Vec<_>>()
        })?;
        PyList::new(py, shown)
    }

    fn __repr__(&self) -> PyResult<String> {
        let Some(held) = self.held.peek() else { return Ok("<ndbytes.Table, closed>".into()) };
        let columns = self.columns()?;
        let shown: Vec<_> = columns.iter().take(6).map(String::as_str).collect();
        let more = if columns.len() > shown.len() { ", …" } else { "" };
        Ok(format!("<ndbytes.Table of {} rows: {}{more}>", held.table.rows(), shown.join(", ")))
    }
}

/// A column in a notebook: its name, its type, and its cells or the reason why there are none.
type Shown = (String, String, Option<Vec<String>>, Option<String>);

fn shown(table: &idv::Table<'static>, name: String, rows: Range<u64>, room: usize) -> Shown {
    let column = match table.column(&name) {
        Ok(column) => column,
        Err(error) => return (name, String::new(), None, Some(error.to_string())),
    };
    let column_type = column.column_type().map(ToString::to_string).unwrap_or_default();
    match cells(&column, rows, room) {
        Ok(cells) => (name, column_type, Some(cells), None),
        Err(error) => (name, column_type, None, Some(error.to_string())),
    }
}
