//! The Python package `ndbytes`: its native module.
//!
//! All long-running work is done on threads of this process, without the interpreter's lock ([`work`]). No file content can crash
//! the interpreter: panics become exceptions.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod archive;
mod array;
mod check;
mod demands;
mod errors;
mod finding;
mod foreign;
mod handle;
mod held;
mod limits;
mod memory;
mod msgpack;
mod numpy_stats;
mod open;
mod recipe;
mod save;
mod sources;
mod spec;
mod stats;
mod stores;
mod table;
mod tool;
mod warn;
mod words;
mod work;

use pyo3::prelude::*;

/// The native half of the package `ndbytes`.
#[pymodule(gil_used = false)]
mod _ndbytes {
    #[pymodule_export]
    use super::archive::Archive;
    #[pymodule_export]
    use super::array::Array;
    #[pymodule_export]
    use super::check::{Report, Seal, Walk, check, check_batch, check_many};
    #[pymodule_export]
    use super::demands::Demands;
    #[pymodule_export]
    use super::errors::{InvalidError, LimitError};
    #[pymodule_export]
    use super::finding::Finding;
    #[pymodule_export]
    use super::numpy_stats::stats_of_numpy;
    #[pymodule_export]
    use super::open::open;
    #[pymodule_export]
    use super::save::{save, write_idv};
    #[pymodule_export]
    use super::spec::Specification;
    #[pymodule_export]
    use super::table::{Batches, Column, Table};
    #[pymodule_export]
    use super::tool::{run, run_captured};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Paths may be URLs.
        ndbytes_stores::serve();
        // Errors of bytes and streams have no path.
        for error in ["InvalidError", "LimitError"] {
            module.getattr(error)?.setattr("path", module.py().None())?;
        }
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
