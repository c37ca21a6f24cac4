//! Contracts, interpreted as in the tool.

use crate::sources::AnyPath;
use crate::words;
use crate::work::work;
use ndbytes_cli::Contract;
use ndbytes_compare::digest::Digest;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Requirements on files beyond the rules of their formats: those of a contract, and the labels of images.
#[pyclass(frozen, module = "ndbytes._ndbytes")]
pub struct Demands {
    pub judge: Arc<ndbytes_cli::Demands>,
    /// The digest of the contract, if there is one.
    pub digest: Option<Digest>,
}

#[pymethods]
impl Demands {
    /// Reads a contract: the one at this path or, by default, that of the working directory.
    #[new]
    #[pyo3(signature = (config=None, no_config=false, depth="payload"))]
    pub fn new(py: Python<'_>, config: Option<AnyPath>, no_config: bool, depth: &str) -> PyResult<Self> {
        let depth = words::depth(depth)?;
        let path = config.map(|AnyPath(path)| path);
        let read = move || if no_config { Ok(None) } else { Contract::of(path.as_deref()) };
        let contract = work(py, read)?.map_err(PyValueError::new_err)?;
        let digest = contract.as_ref().map(|contract| contract.digest);
        Ok(Demands { judge: Arc::new(ndbytes_cli::Demands::new(contract, depth)), digest })
    }

    /// Returns whether the contract has requirements for a file, whatever its format is.
    fn knows(&self, path: AnyPath) -> bool {
        self.judge.knows(&path.0)
    }
}
