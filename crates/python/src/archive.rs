//! Archives and stores: mappings from names to arrays and tables.

use crate::errors::raise;
use crate::handle::handle;
use crate::recipe::Recipe;
use crate::work::work;
use ndbytes::{Format, Options};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// A zip archive, or a store of b2nd arrays, whose members are read when they are requested.
#[pyclass(frozen, mapping, module = "ndbytes", weakref)]
pub struct Archive {
    archive: Arc<ndbytes::archive::Archive<'static>>,
    /// True if it was opened from a path, so that its members have addresses.
    has_path: bool,
    /// How members are read that have no address.
    options: Options,
    recipe: Recipe,
    /// The places of members by their names, which are those of the first ones if several have one name.
    places: HashMap<String, usize>,
}

impl Archive {
    pub fn new(archive: ndbytes::archive::Archive<'static>, has_path: bool, options: Options, recipe: Recipe) -> Self {
        let members = archive.members().iter().enumerate().rev();
        let places = members.map(|(place, member)| (member.name().to_owned(), place)).collect();
        Archive { archive: Arc::new(archive), has_path, options, recipe, places }
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
            let member = &self.archive.members()[place];
            let (address, options) = (self.archive.address(member).into_os_string(), self.recipe.options(py).copy()?);
            // Other formats state the order of their bytes.
            if member.format().is_some_and(Format::states_byte_order) && options.contains("byte_order")? {
                options.del_item("byte_order")?;
            }
            return py.import("ndbytes")?.getattr("_open_again")?.call1((address, options));
        }
        let (archive, options) = (Arc::clone(&self.archive), self.options.clone());
        let file = work(py, move || archive.load(&archive.members()[place]).and_then(|input| options.read(input)));
        let given = format!("!{name}").into_pyobject(py)?.into_any();
        handle(file?.map_err(|error| raise(py, error))?, &given, Recipe::within(self.recipe.limits()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.recipe.reduce(py)
    }

    fn __repr__(&self) -> String {
        format!("<ndbytes.Archive of {} members>", self.archive.members().len())
    }
}
