//! Checking files.

use crate::demands::Demands;
use crate::errors::raise;
use crate::finding::Finding;
use crate::limits::limits;
use crate::sources::{AnyPath, Source};
use crate::stores;
use crate::table::Batches;
use crate::words;
use crate::work::work;
use arrow_array::{Array, RecordBatchIterator, StringArray};
use ndbytes::Checker;
use ndbytes::walk::Start;
use ndbytes_arrow::lake;
use ndbytes_compare::seal;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use rayon::prelude::*;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The result of ``check``. It is true if there are no errors. It is also a sequence of its findings.
///
/// Example:
///     >>> import ndbytes
///     >>> for finding in ndbytes.check("interrupted-idx3-ubyte"):
///     ...     place = (finding.field, finding.offset)
#[pyclass(frozen, sequence, module = "ndbytes")]
pub struct Report {
    /// The format, or ``None`` for an archive or an unknown format.
    #[pyo3(get)]
    format: Option<String>,
    /// The length of the file in bytes.
    #[pyo3(get)]
    size: u64,
    /// The verdict: ``ok``, ``warning``, ``unforeseen`` or ``error``.
    #[pyo3(get)]
    verdict: String,
    /// The findings, in the order of the checks.
    #[pyo3(get)]
    findings: Vec<Finding>,
    /// True if the format of the file is unknown.
    #[pyo3(get)]
    is_foreign: bool,
}

impl From<ndbytes::Report> for Report {
    fn from(report: ndbytes::Report) -> Self {
        Report {
            format: report.format.map(|format| format.to_string()),
            size: report.size,
            verdict: report.verdict().to_string(),
            is_foreign: report.is_foreign(),
            findings: report.findings().iter().cloned().map(Finding::from).collect(),
        }
    }
}

#[pymethods]
impl Report {
    /// True if there is no error.
    #[getter]
    fn ok(&self) -> bool {
        self.verdict != "error"
    }

    fn __len__(&self) -> usize {
        self.findings.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        // Places from the end, and slices, are those of a list.
        PyList::new(py, self.findings.clone())?.as_any().get_item(key)
    }

    /// Creates a report from its attributes, as pickles do.
    #[new]
    fn new(
        format: Option<String>,
        size: u64,
        verdict: String,
        findings: Vec<Bound<'_, Finding>>,
        is_foreign: bool,
    ) -> Self {
        let findings = findings.iter().map(|finding| finding.get().clone()).collect();
        Report { format, size, verdict, findings, is_foreign }
    }

    /// Returns all attributes as JSON-compatible values.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> ndbytes.check("surface.ra").to_dict()["verdict"]
    ///     'ok'
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let attributes = PyDict::new(py);
        attributes.set_item("format", &self.format)?;
        attributes.set_item("size", self.size)?;
        attributes.set_item("verdict", &self.verdict)?;
        attributes.set_item("is_foreign", self.is_foreign)?;
        let findings = PyList::empty(py);
        for finding in &self.findings {
            findings.append(Bound::new(py, finding.clone())?.call_method0("to_dict")?)?;
        }
        attributes.set_item("findings", findings)?;
        Ok(attributes)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let report = slf.get();
        let findings = PyList::new(slf.py(), report.findings.clone())?;
        let arguments = (&report.format, report.size, &report.verdict, findings, report.is_foreign);
        let arguments = arguments.into_pyobject(slf.py())?.into_any();
        PyTuple::new(slf.py(), [slf.get_type().into_any(), arguments])
    }

    fn __bool__(&self) -> bool {
        self.ok()
    }

    fn _repr_html_(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyAny>> {
        slf.py().import("ndbytes._html")?.call_method1("report", (slf,))
    }

    fn __repr__(&self) -> String {
        let format = self.format.as_deref().unwrap_or("unknown");
        format!("<ndbytes.Report {format} {} bytes: {}, {} findings>", self.size, self.verdict, self.findings.len())
    }
}

/// The seal to compare files with, if any.
#[pyclass(frozen, module = "ndbytes._ndbytes")]
pub struct Seal(Arc<seal::Seal>);

#[pymethods]
impl Seal {
    /// Reads a seal.
    #[new]
    #[pyo3(signature = (path, *, memory=None, time=None, output=None))]
    fn new(
        py: Python<'_>,
        path: AnyPath,
        memory: Option<u64>,
        time: Option<f64>,
        output: Option<u64>,
    ) -> PyResult<Self> {
        let limits = limits(memory, time, output)?;
        let seal = work(py, move || seal::Seal::open(&path.0, limits))?;
        Ok(Seal(Arc::new(seal.map_err(|error| raise(py, error))?)))
    }

    /// The default path for the seal of a file or directory.
    #[staticmethod]
    fn beside(path: AnyPath) -> PathBuf {
        seal::beside(&path.0)
    }

    /// The paths and reports of missing files: those that the seal lists where a walk searched, but that were not
    /// found.
    fn missing(&self) -> Vec<(PathBuf, Report)> {
        self.0.missing().map(|(path, report)| (path, Report::from(report))).collect()
    }
}

/// A walk over files: those at some paths, in directories, and in a seal.
#[pyclass(frozen, module = "ndbytes._ndbytes")]
pub struct Walk {
    files: Mutex<Option<seal::Files<'static>>>,
    /// True if one of the paths is a URL.
    names_url: bool,
}

impl Walk {
    fn files(&self) -> MutexGuard<'_, Option<seal::Files<'static>>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file that a walk found: its path, whether the user named it, and the reason if it cannot be read. The path is text, because
/// `pathlib.Path` would merge the slashes of a URL.
type Met = (OsString, bool, Option<String>);

#[pymethods]
impl Walk {
    /// Starts at paths. If `named` is true, the user named them; otherwise, they come from a list.
    #[new]
    #[pyo3(signature = (paths, named, gitignore=false, memory=None, seal=None))]
    fn new(
        paths: Vec<AnyPath>,
        named: bool,
        gitignore: bool,
        memory: Option<u64>,
        seal: Option<&Bound<'_, Seal>>,
    ) -> PyResult<Self> {
        let start = if named { Start::named } else { Start::listed };
        let names_url = paths.iter().any(|AnyPath(path)| stores::is_url(path));
        let starts = paths.into_iter().map(move |AnyPath(path)| Ok(start(path)));
        let options = ndbytes::walk::Options::new().gitignore(gitignore).limits(limits(memory, None, None)?);
        let seal = seal.map(|seal| Arc::clone(&seal.get().0));
        let files = Mutex::new(Some(seal::Files::new(Box::new(starts), options, seal)));
        Ok(Walk { files, names_url })
    }

    /// Returns the next files, at most this many; none at the end.
    #[pyo3(signature = (most, storage_options=None))]
    fn take(&self, py: Python<'_>, most: usize, storage_options: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<Met>> {
        let entered = match self.names_url {
            true => Some(stores::options(storage_options).map(|options| py.detach(|| ndbytes_stores::enter(options)))?),
            false => None,
        };
        // No lock is held while the walk goes on.
        let taken = self.files().take();
        let Some(mut files) = taken else { return Ok(Vec::new()) };
        let (files, met) = work(py, move || {
            let _entered = entered;
            let met: Vec<Met> = files
                .by_ref()
                .take(most)
                .map(|met| match met {
                    Ok(found) => (found.path.into_os_string(), found.is_named, None),
                    Err(problem) => (problem.path.unwrap_or_default().into_os_string(), false, Some(problem.reason)),
                })
                .collect();
            (files, met)
        })?;
        *self.files() = Some(files);
        Ok(met)
    }

    /// The number of skipped entries, by kind.
    fn passed(&self) -> Vec<(&'static str, u64)> {
        let passed = self.files().as_ref().map(seal::Files::passed).unwrap_or_default();
        passed.kinds().into_iter().filter(|(_, number)| *number > 0).collect()
    }
}

/// Checks one file.
#[pyfunction]
#[pyo3(signature = (
    source, *, demands, depth="payload", profile="strict", memory=None, time=None, output=None, seal=None,
    storage_options=None
))]
#[allow(clippy::too_many_arguments, reason = "they are options, which are given by name")]
pub fn check(
    source: &Bound<'_, PyAny>,
    demands: &Bound<'_, Demands>,
    depth: &str,
    profile: &str,
    memory: Option<u64>,
    time: Option<f64>,
    output: Option<u64>,
    seal: Option<&Bound<'_, Seal>>,
    storage_options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Report> {
    let py = source.py();
    let limits = limits(memory, time, output)?;
    let checker = Checker::new().depth(words::depth(depth)?).profile(words::profile(profile)?).limits(limits);
    let demands = Arc::clone(&demands.get().judge);
    let seal = seal.map(|seal| Arc::clone(&seal.get().0));
    let source = Source::of(source, storage_options)?;
    let path = if let Source::Path(path) = &source { Some(path.as_path()) } else { None };
    let entered = stores::entered(py, path.into_iter(), storage_options)?;
    if seal.is_some() && !matches!(source, Source::Path(_)) {
        return Err(PyValueError::new_err("only a file opened by its path has a seal"));
    }
    let report = work(py, move || {
        let _entered = entered;
        match source {
            Source::Path(path) => demands.check(&path, &checker, seal.as_deref(), limits),
            Source::Bytes(bytes) => checker.check_slice(&bytes),
            Source::Stream(stream) => checker.check_reader(stream),
            Source::Remote(remote) => checker.check_source(remote),
        }
    })?;
    Ok(Report::from(report.map_err(|error| raise(py, error))?))
}

/// Checks many files in parallel. Returns a report for each, or the reason why there is none.
#[pyfunction]
#[pyo3(signature = (
    paths, *, demands, depth="payload", profile="strict", memory=None, time=None, output=None, seal=None,
    storage_options=None
))]
#[allow(clippy::too_many_arguments, reason = "they are options, which are given by name")]
pub fn check_many<'py>(
    py: Python<'py>,
    paths: Vec<AnyPath>,
    demands: &Bound<'_, Demands>,
    depth: &str,
    profile: &str,
    memory: Option<u64>,
    time: Option<f64>,
    output: Option<u64>,
    seal: Option<&Bound<'_, Seal>>,
    storage_options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let limits = limits(memory, time, output)?;
    let checker = Checker::new().depth(words::depth(depth)?).profile(words::profile(profile)?).limits(limits);
    let demands = Arc::clone(&demands.get().judge);
    let seal = seal.map(|seal| Arc::clone(&seal.get().0));
    let entered = stores::entered(py, paths.iter().map(|AnyPath(path)| path.as_path()), storage_options)?;
    let reports = work(py, move || {
        let _entered = entered;
        let check = |AnyPath(path): &AnyPath| demands.check(path, &checker, seal.as_deref(), limits);
        paths.par_iter().map(check).collect::<Vec<_>>()
    })?;
    let each = reports.into_iter().map(|report| match report {
        Ok(report) => Ok(Bound::new(py, Report::from(report))?.into_any()),
        Err(error) => Ok(error.to_string().into_pyobject(py)?.into_any()),
    });
    each.collect()
}

/// Checks many files, and returns one table: one row per finding, per file, or per column of every table.
///
/// A file that cannot be read also gets a row. Use this function in engines that distribute lists of paths: Spark, Dask, Ray.
///
/// Parameters:
///     paths: files and directories. For a directory, all files in known formats below it are checked, even in a store:
///         ``s3://bucket/lake/``.
///     table: ``"findings"``, ``"files"`` or ``"columns"``.
///     depth, profile: as for ``check``.
///     memory, time, output: limits for each file, as for ``open``.
///     digest: adds digests to the table of files.
///     gitignore: skips hidden files, and files that .gitignore or .ignore excludes.
///     config, no_config: as for ``check``.
///     storage_options: options for object stores, as for ``open``.
///
/// Raises:
///     ValueError: if an argument has an invalid value, a path is not Unicode, or the contract is not valid.
///
/// Example:
///     >>> import ndbytes, pyarrow
///     >>> batches = ndbytes.check_batch(["interrupted-idx3-ubyte"])
///     >>> pyarrow.table(batches)["rule"].to_pylist()
///     ['idx/truncated-payload']
#[pyfunction]
#[pyo3(signature = (
    paths, table="findings", *, depth="payload", profile="strict", memory=None, time=None, output=None, digest=false,
    gitignore=false, config=None, no_config=false, storage_options=None
))]
#[allow(clippy::too_many_arguments, reason = "they are options, which are given by name")]
pub fn check_batch(
    py: Python<'_>,
    paths: Vec<AnyPath>,
    table: &str,
    depth: &str,
    profile: &str,
    memory: Option<u64>,
    time: Option<f64>,
    output: Option<u64>,
    digest: bool,
    gitignore: bool,
    config: Option<AnyPath>,
    no_config: bool,
    storage_options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Batches> {
    let Some(table) = lake::Table::ALL.into_iter().find(|one| one.name() == table) else {
        let names = lake::Table::ALL.map(lake::Table::name).join(", ");
        return Err(PyValueError::new_err(format!("{table:?} is not a table: {names}")));
    };
    let demands = Demands::new(py, config, no_config, depth)?;
    let options = lake::Options::new().depth(words::depth(depth)?).profile(words::profile(profile)?);
    let options = options.limits(limits(memory, time, output)?).digest(digest).gitignore(gitignore);
    let options = options.demands(demands.digest);
    let entered = stores::entered(py, paths.iter().map(|AnyPath(path)| path.as_path()), storage_options)?;
    let texts: Vec<String> = paths.into_iter().map(text).collect::<PyResult<_>>()?;
    let batch = work(py, move || {
        let _entered = entered;
        let paths = StringArray::from(texts);
        let examiner = lake::Examiner::new(table, &options).judge(&*demands.judge);
        lake::check_batch_by(&paths as &dyn Array, &examiner)
    })?;
    let batch = batch.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let schema = batch.schema();
    Ok(Batches::new(Box::new(RecordBatchIterator::new([Ok(batch)], schema))))
}

fn text(AnyPath(path): AnyPath) -> PyResult<String> {
    let no_text = |path| PyValueError::new_err(format!("{path:?} is not Unicode, but paths in tables must be"));
    path.into_os_string().into_string().map_err(no_text)
}
