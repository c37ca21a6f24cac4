//! Tables: streams of Arrow, and columns as arrays of NumPy.

mod batches;
mod column;

pub use batches::Batches;
pub use column::Column;

use crate::errors::{raise, raise_arrow};
use crate::finding::Finding;
use crate::foreign::{capsule, schema_capsule};
use crate::recipe::Recipe;
use crate::stats;
use crate::work::work;
use ndbytes::idv;
use ndbytes_arrow::table::{self, Keys, Sparse, TextPolicy, Times};
use ndbytes_cli::stats_json::StatsObject;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

/// A table of a file.
#[pyclass(frozen, module = "ndbytes", weakref)]
pub struct Table {
    table: Arc<idv::Table<'static>>,
    options: table::Options,
    /// The columns that were selected, or `None` for all.
    selected: Option<Vec<String>>,
    recipe: Recipe,
    /// The arguments of `with_options` and `select`, for another process.
    asked: Py<PyDict>,
    /// The table as Arrow, made when it is first requested.
    arrow: OnceLock<table::ArrowTable>,
}

impl Table {
    pub fn new(py: Python<'_>, table: idv::Table<'static>, recipe: Recipe) -> PyResult<Self> {
        let options = table::Options::new().limits(recipe.limits());
        let (table, asked) = (Arc::new(table), PyDict::new(py).unbind());
        Ok(Table { table, options, selected: None, recipe, asked, arrow: OnceLock::new() })
    }

    fn arrow(&self, py: Python<'_>) -> PyResult<table::ArrowTable> {
        if let Some(made) = self.arrow.get() {
            return Ok(made.clone());
        }
        let (table, options) = (Arc::clone(&self.table), self.options.clone());
        let made = work(py, move || table::ArrowTable::new(table, options))?.map_err(|error| raise_arrow(py, error))?;
        Ok(self.arrow.get_or_init(|| made).clone())
    }

    /// The same table with other options, which `name` and `value` tell.
    fn with(
        &self,
        py: Python<'_>,
        options: table::Options,
        selected: Option<Vec<String>>,
        asked: &Bound<'_, PyDict>,
    ) -> PyResult<Self> {
        let all = self.asked.bind(py).copy()?;
        all.update(asked.as_mapping())?;
        let (table, recipe) = (Arc::clone(&self.table), self.recipe.clone_ref(py));
        Ok(Table { table, options, selected, recipe, asked: all.unbind(), arrow: OnceLock::new() })
    }
}

/// The choice of a name.
fn choice<T: FromStr<Err = String>>(name: &str) -> PyResult<T> {
    name.parse().map_err(PyValueError::new_err)
}

#[pymethods]
impl Table {
    fn __len__(&self) -> PyResult<usize> {
        Ok(usize::try_from(self.table.rows())?)
    }

    #[getter]
    fn columns(&self) -> Vec<String> {
        match &self.selected {
            Some(names) => names.clone(),
            None => {
                let seen = self.table.columns().filter(|column| column.is_readable() && !column.is_hidden());
                seen.map(|column| column.name()).collect()
            }
        }
    }

    #[getter]
    fn format(&self) -> &'static str {
        "IDV"
    }

    #[getter]
    fn version(&self) -> String {
        self.table.version().to_string()
    }

    #[getter]
    fn warnings(&self) -> Vec<Finding> {
        self.table.warnings().iter().cloned().map(Finding::from).collect()
    }

    #[getter]
    fn tolerated(&self) -> Vec<Finding> {
        self.table.tolerated().iter().cloned().map(Finding::from).collect()
    }

    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<Column> {
        Column::new(Arc::clone(&self.table), name, self.recipe.limits()).map_err(|error| raise(py, error))
    }

    fn __contains__(&self, name: &str) -> bool {
        self.columns().iter().any(|column| column == name)
    }

    /// A table has rows as its length and columns as its items. `pandas.DataFrame(table)` took the names of the columns for
    /// the values, so nothing is handed out.
    fn __iter__(&self) -> PyResult<Bound<'_, PyAny>> {
        Err(PyTypeError::new_err(
            "a table is no sequence: `table.columns` are the names of its columns, `pyarrow.table(table)` has its values, and \
             `table.to_pandas()` is a DataFrame",
        ))
    }

    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (table, names) = (Arc::clone(&self.table), self.columns());
        stats::of(py, move || StatsObject::of_columns(&table, &names))
    }

    fn to_pandas<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pandas")?.getattr("DataFrame")?.call_method1("from_arrow", (slf,))
    }

    fn keys(&self) -> Vec<String> {
        self.columns()
    }

    fn select(&self, py: Python<'_>, columns: Vec<String>) -> PyResult<Self> {
        for name in &columns {
            self.table.column(name).map_err(|error| raise(py, error))?;
        }
        let asked = PyDict::new(py);
        asked.set_item("columns", &columns)?;
        self.with(py, self.options.clone().columns(columns.clone()), Some(columns), &asked)
    }

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

    /// Some of the rows, as batches.
    fn rows(&self, py: Python<'_>, start: u64, stop: u64) -> PyResult<Batches> {
        let table = self.arrow(py)?;
        let batches = work(py, move || table.batches_of(start..stop))?.map_err(|error| raise_arrow(py, error))?;
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
        let batches = work(py, move || table.batches())?.map_err(|error| raise_arrow(py, error))?;
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

    fn __repr__(&self) -> String {
        let columns = self.columns();
        let shown: Vec<_> = columns.iter().take(6).map(String::as_str).collect();
        let more = if columns.len() > shown.len() { ", …" } else { "" };
        format!("<ndbytes.Table of {} rows: {}{more}>", self.table.rows(), shown.join(", "))
    }
}
