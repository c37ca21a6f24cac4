//! Opening files.

use crate::archive::Archive;
use crate::errors::{about, raise};
use crate::handle::handle;
use crate::limits::limits;
use crate::recipe::Recipe;
use crate::sources::Source;
use crate::stores;
use crate::work::work;
use ndbytes::archive::Opened;
use ndbytes::everybyte::Endian;
use ndbytes::{Error, File, Input, Limits, Options, Rule, Severity};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use std::io::Read;

/// The rule of a name, which files can be read without.
///
/// # Errors
/// `ValueError` if there is none, or if it cannot be tolerated.
pub fn rule_of(name: &str) -> PyResult<&'static Rule> {
    let refused = |why| Err(PyValueError::new_err(format!("{name:?} {why}")));
    match ndbytes::rules().find(|rule| rule.id == name) {
        None => refused("is no rule: `ndbytes.rules()` lists all of them"),
        Some(rule) if rule.is_tolerable() => Ok(rule),
        Some(rule) if rule.severity == Some(Severity::Error) => {
            refused("cannot be tolerated: a file that breaks this rule cannot be read")
        }
        Some(_) => refused("is not an error, so it stops no reader"),
    }
}

/// The order of bytes of a name.
///
/// # Errors
/// `ValueError` if there is none.
fn order_of(name: &str) -> PyResult<Endian> {
    match name {
        "little" => Ok(Endian::Little),
        "big" => Ok(Endian::Big),
        _ => Err(PyValueError::new_err(format!("{name:?} is no order of bytes: little or big"))),
    }
}

/// One name, or several.
pub struct Names(Vec<String>);

impl<'py> FromPyObject<'_, 'py> for Names {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match given.extract::<String>() {
            Ok(name) => Ok(Names(vec![name])),
            Err(_) => given.extract().map(Names),
        }
    }
}

enum Content {
    File(File<'static>),
    Archive(ndbytes::archive::Archive<'static>),
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

/// Opens a file of any format: its content says which.
///
/// A violation of severity warning is read, and a ``FileWarning`` says so.
///
/// Parameters:
///     source: a path, bytes, a file that is open in binary mode, a file of fsspec, or an address with ``://``. Bytes are the
///         content of a file. A path may lead into an archive: ``model.zip!Data``. Of addresses, ``https://``, ``s3://``, ``gs://`` and
///         ``az://`` need no other package.
///     memory: bytes that the file may take beyond its own length, by default 1 GiB.
///     time: seconds that the work on it may take, from its opening on, by default without a bound.
///     output: bytes that may be made of it, by default 64 GiB.
///     tolerate: the name of a rule that may be broken, or several. No value becomes another by it.
///     byte_order: ``"big"`` or ``"little"``, the order of the elements of IDX. A file does not record another one.
///     mmap: ``False`` reads the whole file into memory, so that no other program can change it meanwhile.
///     storage_options: options of the store of an address, such as ``{"aws_region": "eu-west-1"}``. They go before the
///         variables of the environment. fsspec's names, such as ``key`` and ``endpoint_url``, serve as well.
///
/// Raises:
///     InvalidError: if the file breaks a rule of severity error.
///     LimitError, TimeoutError: if it takes more memory or time than that.
///     OSError: if it cannot be read.
///     ValueError: if an argument has no such value.
///
/// Example:
///     >>> import ndbytes
///     >>> ndbytes.open("digits-idx3-ubyte.gz").shape
///     (10, 28, 28)
#[pyfunction]
#[pyo3(signature = (
    source, *, memory=None, time=None, output=None, tolerate=None, byte_order=None, mmap=true, storage_options=None
))]
#[allow(clippy::too_many_arguments, reason = "they are options, which are given by name")]
pub fn open<'py>(
    source: &Bound<'py, PyAny>,
    memory: Option<u64>,
    time: Option<f64>,
    output: Option<u64>,
    tolerate: Option<Names>,
    byte_order: Option<&str>,
    mmap: bool,
    storage_options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = source.py();
    // The clock of a handle runs from here on.
    let limits = limits(memory, time, output)?.started();
    let mut options = Options::new().limits(limits);
    if let Some(order) = byte_order {
        options = options.byte_order(order_of(order)?);
    }
    let tolerate = tolerate.map(|Names(names)| names);
    for name in tolerate.iter().flatten() {
        options = options.tolerate(rule_of(name)?);
    }
    let from = Source::of(source, storage_options)?;
    let path = if let Source::Path(path) = &from { Some(path.as_path()) } else { None };
    let entered = stores::entered(py, path.into_iter(), storage_options)?;
    let is_remote = entered.is_some() || matches!(from, Source::Remote(_));
    let is_repeatable = matches!(from, Source::Path(_) | Source::Remote(_));
    let has_path = matches!(from, Source::Path(_));
    let kept = options.clone();
    let read = move || {
        let _entered = entered;
        read(from, mmap, &options, limits)
    };
    let content =
        work(py, read)?.map_err(|error| about(py, raise(py, error), Some(source).filter(|_| is_repeatable)))?;
    let options = [
        ("memory", memory.map(|bytes| bytes.into_bound_py_any(py)).transpose()?),
        ("time", time.map(|seconds| seconds.into_bound_py_any(py)).transpose()?),
        ("output", output.map(|bytes| bytes.into_bound_py_any(py)).transpose()?),
        ("tolerate", tolerate.map(|names| names.into_bound_py_any(py)).transpose()?),
        ("byte_order", byte_order.map(|order| order.into_bound_py_any(py)).transpose()?),
        ("mmap", (!mmap).then(|| false.into_bound_py_any(py)).transpose()?),
        ("storage_options", storage_options.map(|options| options.clone().into_any())),
    ];
    let given = options.into_iter().filter_map(|(name, value)| Some((name, value?))).into_py_dict(py)?;
    let recipe = match is_repeatable {
        true => Recipe::again(source.clone().unbind(), given.unbind(), is_remote, limits),
        false => Recipe::within(limits),
    };
    match content {
        Content::Archive(archive) => Ok(Bound::new(py, Archive::new(archive, has_path, kept, recipe))?.into_any()),
        Content::File(file) if byte_order.is_some() && file.format().states_byte_order() => {
            Err(PyValueError::new_err(format!(
                "`byte_order` is for IDX, but this is {}, which states the order of its bytes",
                file.format().title()
            )))
        }
        Content::File(file) => handle(file, source, recipe),
    }
}
