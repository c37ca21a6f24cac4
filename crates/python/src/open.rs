//! Opening files.

use crate::archive::Archive;
use crate::array::Array;
use crate::errors::raise;
use crate::sources::Source;
use crate::table::Table;
use crate::work::work;
use ndbytes::archive::Opened;
use ndbytes::{Error, File, Input, Limits, Options, Rule};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::io::Read;

/// How a file was opened, for another process that opens it again.
#[derive(Default)]
pub struct Recipe {
    /// The path or the address; `None` if it was opened from bytes or a stream, which another process does not have.
    source: Option<Py<PyAny>>,
    options: Option<Py<PyDict>>,
    is_remote: bool,
}

impl Recipe {
    /// Returns whether what is not read yet has to be fetched.
    pub fn is_remote(&self) -> bool {
        self.is_remote
    }

    /// What `__reduce__` gives: a function and its arguments.
    ///
    /// # Errors
    /// `TypeError` if the file was opened from bytes or a stream.
    pub fn reduce<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        use pyo3::exceptions::PyTypeError;
        let Some(source) = &self.source else {
            return Err(PyTypeError::new_err("only what was opened from a path can be pickled"));
        };
        let again = py.import("ndbytes")?.getattr("_open_again")?;
        let arguments = PyTuple::new(py, [source.bind(py).clone(), self.options(py).into_any()])?;
        Ok(PyTuple::new(py, [again, arguments.into_any()])?.into_any())
    }

    /// The options, as the arguments of `open`.
    pub fn options<'py>(&self, py: Python<'py>) -> Bound<'py, PyDict> {
        self.options.as_ref().map_or_else(|| PyDict::new(py), |options| options.bind(py).clone())
    }

    pub fn clone_ref(&self, py: Python<'_>) -> Self {
        let Recipe { source, options, is_remote } = self;
        let source = source.as_ref().map(|source| source.clone_ref(py));
        Recipe { source, options: options.as_ref().map(|options| options.clone_ref(py)), is_remote: *is_remote }
    }
}

/// The limits that arguments ask for.
pub fn limits(memory: Option<u64>) -> Limits {
    memory.map_or_else(Limits::default, |memory| Limits::default().memory(memory))
}

/// The rule of a name.
///
/// # Errors
/// `ValueError` if there is none.
pub fn rule_of(name: &str) -> PyResult<&'static Rule> {
    let rule = ndbytes::rules().find(|rule| rule.id == name);
    rule.ok_or_else(|| PyValueError::new_err(format!("{name:?} is no rule: `ndbytes.rules()` lists all of them")))
}

enum Content {
    File(File<'static>),
    Archive(ndbytes::Archive<'static>),
}

/// Opens an input, or the archive that it is.
fn content(opened: Opened<'static>, options: &Options) -> ndbytes::Result<Content> {
    match opened {
        Opened::Archive(archive) => Ok(Content::Archive(archive)),
        Opened::File(input) => options.read(input).map(Content::File),
    }
}

/// Reads something to its end. Bytes that are known to be there are granted beside the limit.
fn in_memory(reader: impl Read, known: u64, options: &Options, limits: Limits) -> ndbytes::Result<Content> {
    let limits = limits.memory(limits.memory.saturating_add(known));
    content(Opened::from_input(Input::from_reader(reader, limits)?, limits)?, options)
}

fn read(source: Source, is_mapped: bool, options: &Options, limits: Limits) -> ndbytes::Result<Content> {
    match source {
        Source::Path(path) if is_mapped => content(Opened::open(path, limits)?, options),
        Source::Path(path) => {
            let at_path = |source| Error::Io { path: Some(path.clone()), source };
            // What is no regular file of its own, such as a folder or a member of an archive, is never mapped.
            match std::fs::metadata(&path) {
                Ok(metadata) if metadata.is_file() => {
                    let file = std::fs::File::open(&path).map_err(at_path)?;
                    in_memory(file, metadata.len(), options, limits)
                }
                _ => content(Opened::open(path, limits)?, options),
            }
        }
        Source::Bytes(bytes) => in_memory(&bytes[..], bytes.len() as u64, options, limits),
        Source::Stream(stream) => in_memory(stream, 0, options, limits),
        Source::Remote(remote) => content(Opened::from_input(Input::from_source(remote, limits)?, limits)?, options),
    }
}

/// Opens a file of any format.
#[pyfunction]
#[pyo3(signature = (source, *, memory=None, tolerate=None, mmap=true))]
pub fn open<'py>(
    source: &Bound<'py, PyAny>,
    memory: Option<u64>,
    tolerate: Option<Vec<String>>,
    mmap: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = source.py();
    let limits = limits(memory);
    let mut options = Options::new().limits(limits);
    for name in tolerate.iter().flatten() {
        options = options.tolerate(rule_of(name)?);
    }
    let from = Source::of(source)?;
    let is_remote = matches!(from, Source::Remote(_));
    let is_repeatable = matches!(from, Source::Path(_) | Source::Remote(_));
    let has_path = matches!(from, Source::Path(_));
    let content = work(py, move || read(from, mmap, &options, limits))?.map_err(|error| raise(py, error))?;
    let given = PyDict::new(py);
    if let Some(memory) = memory {
        given.set_item("memory", memory)?;
    }
    if let Some(tolerate) = &tolerate {
        given.set_item("tolerate", tolerate)?;
    }
    if !mmap {
        given.set_item("mmap", false)?;
    }
    let recipe = match is_repeatable {
        true => Recipe { source: Some(source.clone().unbind()), options: Some(given.unbind()), is_remote },
        false => Recipe::default(),
    };
    match content {
        Content::Archive(archive) => Ok(Bound::new(py, Archive::new(archive, has_path, recipe))?.into_any()),
        Content::File(file) => handle(py, file, recipe),
    }
}

/// The handle of a file.
pub fn handle<'py>(py: Python<'py>, file: File<'static>, recipe: Recipe) -> PyResult<Bound<'py, PyAny>> {
    match file {
        File::Array(array) => Ok(Bound::new(py, Array::new(array, recipe))?.into_any()),
        File::Table(table) => Ok(Bound::new(py, Table::new(py, *table, recipe)?)?.into_any()),
        _ => Err(PyOverflowError::new_err("this file holds something that this version does not know")),
    }
}
