//! Handles of open files.

use crate::array::Array;
use crate::recipe::Recipe;
use crate::table::Table;
use crate::warn::say_findings;
use ndbytes::File;
use pyo3::prelude::*;

/// Creates the handle for a file that was opened from `given`, and reports its warnings.
pub fn handle<'py>(file: File<'static>, given: &Bound<'py, PyAny>, recipe: Recipe) -> PyResult<Bound<'py, PyAny>> {
    let py = given.py();
    say_findings(py, given, file.warnings())?;
    match file {
        File::Array(array) => Ok(Bound::new(py, Array::new(array, recipe))?.into_any()),
        File::Table(table) => Ok(Bound::new(py, Table::new(py, *table, recipe)?)?.into_any()),
    }
}
