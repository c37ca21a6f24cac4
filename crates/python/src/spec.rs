//! Kaitai Struct specifications: the native half of `ndbytes.everybyte`.

use crate::work::work;
use everybyte::forge::{Choices, Mutation, Recipe, Repair, mutate, replay};
use everybyte::page::page;
use everybyte::tool::to_json;
use everybyte_ksy::{Datum, Loader, Spec, SpecGrammar};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;

/// A loaded specification.
#[pyclass(frozen, module = "ndbytes")]
pub struct Specification(Arc<Spec>);

fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymethods]
impl Specification {
    /// Loads a specification from a file or a text.
    #[new]
    fn new(
        py: Python<'_>,
        path: Option<PathBuf>,
        text: Option<String>,
        folders: Vec<PathBuf>,
        overlays: Vec<PathBuf>,
    ) -> PyResult<Self> {
        let loaded = work(py, move || {
            let loader = folders.into_iter().fold(Loader::new(), Loader::folder).folders_of_environment();
            let loader = overlays.into_iter().fold(loader, Loader::overlay);
            match (path, text) {
                (Some(path), _) => loader.read(path),
                (None, text) => loader.parse("specification", &text.unwrap_or_default()),
            }
        });
        Ok(Specification(Arc::new(loaded?.map_err(wrong)?)))
    }

    /// Returns the name, title, licence, files and warnings.
    fn facts(&self) -> (&str, &str, &str, Vec<String>, Vec<String>) {
        let spec = &self.0;
        let warnings = spec.warnings().iter().map(ToString::to_string).collect();
        (spec.name(), spec.title(), spec.license(), spec.files().to_vec(), warnings)
    }

    /// Explains a file as JSON.
    fn explain(&self, py: Python<'_>, file: Vec<u8>, name: String) -> PyResult<String> {
        let spec = Arc::clone(&self.0);
        work(py, move || to_json(&spec.explain(&file), &name, file.len() as u64))
    }

    /// Explains a file as a page for the browser.
    fn page(&self, py: Python<'_>, file: Vec<u8>, title: String) -> PyResult<String> {
        let spec = Arc::clone(&self.0);
        work(py, move || page(&spec.explain(&file), &file, &title, "everybyte"))
    }

    /// Returns the values of expressions. Raises an exception if the file does not have one of them.
    fn values<'py>(
        &self,
        py: Python<'py>,
        file: Vec<u8>,
        expressions: Vec<String>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let spec = Arc::clone(&self.0);
        let values = work(py, move || {
            let expressions: Vec<&str> = expressions.iter().map(String::as_str).collect();
            spec.values(&file, &expressions)
        });
        values?.map_err(wrong)?.into_iter().map(|value| object(py, value.map_err(wrong)?)).collect()
    }

    /// Returns a mutant, and the recipe that reproduces it.
    fn mutate<'py>(
        &self,
        py: Python<'py>,
        file: Vec<u8>,
        seed: u64,
        repair: &str,
    ) -> PyResult<(Bound<'py, PyBytes>, String)> {
        let how = Mutation { repair: repair.parse::<Repair>().map_err(wrong)?, ..Mutation::default() };
        let spec = Arc::clone(&self.0);
        let made = work(py, move || mutate(&SpecGrammar::new(&spec), &file, &how, &mut Choices::seeded(seed)))?;
        Ok((PyBytes::new(py, &made.bytes), made.recipe.to_string()))
    }

    /// Applies a recipe to a file.
    fn replay<'py>(&self, py: Python<'py>, file: Vec<u8>, recipe: &str) -> PyResult<Bound<'py, PyBytes>> {
        let recipe = recipe.parse::<Recipe>().map_err(wrong)?;
        let spec = Arc::clone(&self.0);
        let made = work(py, move || replay(&SpecGrammar::new(&spec), &file, &recipe))?;
        Ok(PyBytes::new(py, &made.map_err(wrong)?))
    }

    /// Returns the specification as Rust source code.
    fn rust(&self, py: Python<'_>) -> PyResult<String> {
        let spec = Arc::clone(&self.0);
        work(py, move || spec.rust())?
            .map_err(|errors| wrong(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")))
    }
}

/// Converts a value to Python: structures with the names of their types, enumeration values by name.
fn object(py: Python<'_>, datum: Datum) -> PyResult<Bound<'_, PyAny>> {
    Ok(match datum {
        Datum::Int(number) | Datum::Label(number, None) => number.into_pyobject(py)?.into_any(),
        Datum::Float(number) => number.into_pyobject(py)?.into_any(),
        Datum::Bool(is) => is.into_pyobject(py)?.to_owned().into_any(),
        Datum::Text(text) => text.into_pyobject(py)?.into_any(),
        Datum::Label(_, Some(name)) => name.into_pyobject(py)?.into_any(),
        Datum::Bytes(bytes) => PyBytes::new(py, &bytes).into_any(),
        Datum::List(list) => {
            let list = list.into_iter().map(|datum| object(py, datum)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, list)?.into_any()
        }
        Datum::Nothing => py.None().into_bound(py),
        other => other.to_string().into_pyobject(py)?.into_any(),
    })
}
