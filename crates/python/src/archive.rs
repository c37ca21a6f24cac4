//! Archives and stores: mappings from names to arrays and tables.

use crate::errors::raise;
use crate::open::{Recipe, handle};
use crate::work::work;
use ndbytes::Options;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// A zip archive, or a store of b2nd arrays, whose members are read when they are asked for.
#[pyclass(frozen, mapping, module = "ndbytes", weakref)]
pub struct Archive {
    archive: Arc<ndbytes::Archive<'static>>,
    /// True if it was opened from a path, so that its members have addresses.
    has_path: bool,
    recipe: Recipe,
    /// The places of members by their names, which are those of the first ones if several have one name.
    places: HashMap<String, usize>,
}

impl Archive {
    pub fn new(archive: ndbytes::Archive<'static>, has_path: bool, recipe: Recipe) -> Self {
        let members = archive.members().iter().enumerate().rev();
        let places = members.map(|(place, member)| (member.name().to_owned(), place)).collect();
        Archive { archive: Arc::new(archive), has_path, recipe, places }
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }
}

#[pymethods]
impl Archive {
    fn keys(&self) -> Vec<String> {
        self.archive.members().iter().map(|member| member.name().to_owned()).collect()
    }

    fn values<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("collections.abc")?.call_method1("ValuesView", (slf,))
    }

    fn items<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("collections.abc")?.call_method1("ItemsView", (slf,))
    }

    #[pyo3(signature = (name, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.place(name).is_some() { self.__getitem__(py, name).map(Some) } else { Ok(default) }
    }

    fn __len__(&self) -> usize {
        self.archive.members().len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.place(name).is_some()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.keys().into_pyobject(py)?.call_method0("__iter__")
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let Some(place) = self.place(name) else { return Err(PyKeyError::new_err(name.to_owned())) };
        if self.has_path {
            // A member that has an address can be opened again by another process.
            // As text: a `pathlib.Path` would join the two slashes of `a//b`.
            let address = self.archive.address(&self.archive.members()[place]).into_os_string();
            return py.import("ndbytes")?.getattr("_open_again")?.call1((address, self.recipe.options(py)));
        }
        let archive = Arc::clone(&self.archive);
        let file =
            work(py, move || archive.load(&archive.members()[place]).and_then(|input| Options::new().read(input)));
        handle(py, file?.map_err(|error| raise(py, error))?, Recipe::default())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.recipe.reduce(py)
    }

    fn __repr__(&self) -> String {
        format!("<ndbytes.Archive of {} members>", self.archive.members().len())
    }
}
