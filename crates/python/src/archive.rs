//! Archives and stores: mappings from names to arrays and tables.

use crate::foreign::capsule;
use crate::handle::handle;
use crate::held::Held;
use crate::recipe::Recipe;
use crate::table::batches;
use crate::work::work;
use ndbytes::{Format, Options};
use ndbytes_arrow::ctable::CTable;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::collections::HashMap;
use std::sync::Arc;

/// A zip archive, or a store of b2nd arrays: a mapping from the names of its members to arrays and tables.
///
/// Members are read when they are requested. ``with`` closes it.
///
/// Example:
///     >>> import ndbytes
///     >>> for name, member in ndbytes.open_archive("model.zip").items():
///     ...     kind = type(member).__name__
#[pyclass(frozen, mapping, module = "ndbytes", weakref)]
pub struct Archive {
    held: Held<ndbytes::archive::Archive<'static>>,
    /// True if it was opened from a path, so its members have addresses.
    has_path: bool,
    /// How to read members without an address.
    options: Options,
    recipe: Recipe,
    /// The indices of members by name; if several have the same name, the index of the first.
    places: HashMap<String, usize>,
}

impl Archive {
    pub fn new(archive: ndbytes::archive::Archive<'static>, has_path: bool, options: Options, recipe: Recipe) -> Self {
        let members = archive.members().iter().enumerate().rev();
        let places = members.map(|(place, member)| (member.name().to_owned(), place)).collect();
        Archive { held: Held::new("archive", archive), has_path, options, recipe, places }
    }

    fn place(&self, name: &str) -> Option<usize> {
        // `numpy.load` drops the extension of the members of an `.npz`.
        self.places.get(name).or_else(|| self.places.get(&format!("{name}.npy"))).copied()
    }
}

#[pymethods]
impl Archive {
    /// Lists the names of the members, in the order of the archive.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> ndbytes.open_archive("model.zip").keys()
    ///     ['numbers.npy']
    fn keys(&self) -> PyResult<Vec<String>> {
        Ok(self.held.get()?.members().iter().map(|member| member.name().to_owned()).collect())
    }

    /// Returns a view of the members. Each is opened when it is yielded.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> for member in ndbytes.open_archive("model.zip").values():
    ///     ...     length = len(member)
    fn values<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("collections.abc")?.call_method1("ValuesView", (slf,))
    }

    /// Returns a view of the names and members.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> dict(ndbytes.open_archive("model.zip").items())["numbers.npy"].shape
    ///     (2,)
    fn items<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("collections.abc")?.call_method1("ItemsView", (slf,))
    }

    /// Opens a member.
    ///
    /// Parameters:
    ///     name: its name.
    ///     default: the value to return if no member has this name.
    ///
    /// Raises:
    ///     InvalidError: if the member violates a rule.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> ndbytes.open_archive("model.zip").get("weights", "none")
    ///     'none'
    #[pyo3(signature = (name, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.place(name).is_some() { self.__getitem__(py, name).map(Some) } else { Ok(default) }
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.held.get()?.members().len())
    }

    fn __contains__(&self, name: &str) -> PyResult<bool> {
        self.held.get()?;
        Ok(self.place(name).is_some())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.keys()?.into_pyobject(py)?.call_method0("__iter__")
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let archive = self.held.get()?;
        let Some(place) = self.place(name) else {
            return Err(PyKeyError::new_err(format!("no member is named {name:?}")));
        };
        if self.has_path {
            // A member that has an address can be opened again by another process.
            // As text: a `pathlib.Path` would join the two slashes of `a//b`.
            let member = &archive.members()[place];
            let (address, options) = (archive.address(member).into_os_string(), self.recipe.options(py).copy()?);
            // Other formats state the order of their bytes.
            if member.format().is_some_and(Format::states_byte_order) && options.contains("byte_order")? {
                options.del_item("byte_order")?;
            }
            return py.import("ndbytes")?.getattr("_open_again")?.call1((address, options));
        }
        let options = self.options.clone();
        let file = work(py, move || archive.load(&archive.members()[place]).and_then(|input| options.read(input)));
        let given = format!("!{name}").into_pyobject(py)?.into_any();
        handle(file?.map_err(|error| self.recipe.raise(py, error))?, &given, Recipe::within(self.recipe.limits()))
    }

    /// The python-blosc2 table (``CTable``) in the store.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let archive = self.held.get()?;
        let limits = self.recipe.limits();
        let made = work(py, move || {
            let table = CTable::of(archive, limits)?;
            table.map(|table| Arc::new(table).batches(None)).transpose()
        })?;
        match made.map_err(|error| self.recipe.raise_arrow(py, error))? {
            Some(batches) => capsule(py, batches::stream(Box::new(batches))),
            None => Err(PyValueError::new_err("the archive contains arrays, not a table of python-blosc2")),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.recipe.reduce(py)
    }

    /// Closes the archive. Its methods then raise ``ValueError``. A second call does nothing.
    ///
    /// Members that were opened stay open.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> with ndbytes.open_archive("model.zip") as archive:
    ///     ...     names = list(archive)
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
        slf.py().import("ndbytes._html")?.call_method1("archive", (slf,))
    }

    /// The names of the first members, their formats and their lengths in bytes.
    fn _members(&self, most: usize) -> PyResult<Vec<(String, Option<String>, u64)>> {
        let archive = self.held.get()?;
        let described = archive.members().iter().take(most).map(|member| {
            (member.name().to_owned(), member.format().map(|format| format.to_string()), member.length())
        });
        Ok(described.collect())
    }

    fn __repr__(&self) -> String {
        match self.held.peek() {
            Some(archive) => format!("<ndbytes.Archive of {} members>", archive.members().len()),
            None => "<ndbytes.Archive, closed>".into(),
        }
    }
}
