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
use ndbytes_convert::door;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use std::io::Read;
use std::path::Path;

/// The rule with this name, if files that violate it can be read.
///
/// # Errors
/// `ValueError` if it does not exist or cannot be tolerated.
pub fn rule_of(name: &str) -> PyResult<&'static Rule> {
    let refused = |why| Err(PyValueError::new_err(format!("{name:?} {why}")));
    match ndbytes::rules().find(|rule| rule.id == name) {
        None => refused("is not a rule: `ndbytes.rules()` lists all rules"),
        Some(rule) if rule.is_tolerable() => Ok(rule),
        Some(rule) if rule.severity == Some(Severity::Error) => {
            refused("cannot be tolerated: files that violate this rule cannot be read")
        }
        Some(_) => refused("is not an error, so files that violate it are read anyway"),
    }
}

/// Parses a byte order.
///
/// # Errors
/// `ValueError` if there is no such byte order.
fn order_of(name: &str) -> PyResult<Endian> {
    match name {
        "little" => Ok(Endian::Little),
        "big" => Ok(Endian::Big),
        _ => Err(PyValueError::new_err(format!("{name:?} is not a byte order: expected little or big"))),
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

/// Opens an input, or the archive in it.
fn content(opened: Opened<'static>, options: &Options) -> ndbytes::Result<Content> {
    match opened {
        Opened::Archive(archive) => Ok(Content::Archive(archive)),
        Opened::File(input) => options.read(input).map(Content::File),
    }
}

/// Reads an input to its end. Bytes that are known to exist do not count towards the limit.
fn in_memory(reader: impl Read, known: u64, options: &Options, limits: Limits) -> ndbytes::Result<Content> {
    let limits = limits.memory(limits.memory.saturating_add(known));
    content(Opened::from_input(Input::from_reader(reader, limits)?, limits)?, options)
}

/// Opens a path: a file, an archive, or arrays in third-party formats. The latter are encoded as a file in memory.
fn at_path(path: &Path, options: &Options, limits: Limits) -> ndbytes::Result<Content> {
    let found = match door::Opened::open(path, None, limits) {
        // Tables of python-blosc2 are stores, and other tables are for those that read Arrow.
        Ok(door::Opened::Foreign(foreign)) if foreign.table().is_none() => {
            Opened::from_input(foreign.to_native(limits).map_err(of_library)?, limits)?
        }
        Ok(door::Opened::File(input)) => Opened::from_input(input, limits)?,
        _ => Opened::open(path, limits)?,
    };
    content(found, options)
}

/// Returns the library's own error, or one with the same message.
fn of_library(error: ndbytes_convert::Error) -> Error {
    match error {
        ndbytes_convert::Error::Library(error) => error,
        error => Error::from(std::io::Error::other(error.to_string())),
    }
}

fn read(source: Source, is_mapped: bool, options: &Options, limits: Limits) -> ndbytes::Result<Content> {
    match source {
        Source::Path(path) if is_mapped => at_path(&path, options, limits),
        Source::Path(path) => {
            let unreadable = |source| Error::Io { path: Some(path.clone()), source };
            // Anything but a regular file, such as a folder or a member of an archive, is never mapped.
            match std::fs::metadata(&path) {
                Ok(metadata) if metadata.is_file() => {
                    let file = ndbytes::internals::door::named(&path).map_err(unreadable)?;
                    in_memory(file, metadata.len(), options, limits)
                }
                _ => at_path(&path, options, limits),
            }
        }
        Source::Bytes(bytes) => in_memory(&bytes[..], bytes.len() as u64, options, limits),
        Source::Stream(stream) => in_memory(stream, 0, options, limits),
        Source::Remote(remote) => content(Opened::from_input(Input::from_source(remote, limits)?, limits)?, options),
    }
}

/// Returns the options for reading a file.
///
/// # Errors
/// `ValueError` if there is no such byte order, type or rule.
fn reading(limits: Limits, byte_order: Option<&str>, void_as: Option<&str>, tolerate: &[String]) -> PyResult<Options> {
    let mut options = Options::new().limits(limits);
    if let Some(order) = byte_order {
        options = options.byte_order(order_of(order)?);
    }
    if let Some(name) = void_as {
        let dtype = ndbytes_cli::type_of_raw_bytes(name)
            .map_err(|why| PyValueError::new_err(format!("`void_as` cannot be {name:?}: {why}")))?;
        options = options.void_as(dtype);
    }
    tolerate.iter().try_fold(options, |options, name| Ok(options.tolerate(rule_of(name)?)))
}

/// Opens a file of any format, which is detected by content.
///
/// A violation with severity ``warning`` does not prevent reading: a ``FileWarning`` reports it.
///
/// Parameters:
///     source: a path, bytes, a file open in binary mode, an fsspec file, or a URL. Bytes are the content of a
///         file. A path may point into an archive: ``model.zip!Data``. The schemes ``https://``, ``s3://``, ``gs://`` and ``az://``
///         need no other package.
///     memory: maximum memory in bytes beyond the length of the file, by default 1 GiB.
///     time: maximum time in seconds from when the file is opened; by default unlimited.
///     output: maximum output in bytes, by default 64 GiB.
///     tolerate: one or more names of rules that may be violated. Values are not changed.
///     byte_order: ``"big"`` or ``"little"``, the byte order of IDX elements, which a file does not record.
///     void_as: the type for items of raw bytes such as ``|V2`` (ml_dtypes saves bfloat16 this way): ``"bfloat16"``, ``"f2"``, ``">u2"``.
///     mmap: ``False`` reads the whole file into memory, so that other programs cannot change it while it is used.
///     storage_options: options for an object store, such as ``{"aws_region": "eu-west-1"}``. They take precedence over
///         environment variables. fsspec's names, such as ``key`` and ``endpoint_url``, also work.
///
/// Raises:
///     InvalidError: if the file violates a rule with severity ``error``.
///     LimitError, TimeoutError: if it exceeds the limits.
///     OSError: if it cannot be read.
///     ValueError: if an argument has an invalid value.
///
/// Example:
///     >>> import ndbytes
///     >>> ndbytes.open("digits-idx3-ubyte.gz").shape
///     (10, 28, 28)
#[pyfunction]
#[pyo3(signature = (
    source, *, memory=None, time=None, output=None, tolerate=None, byte_order=None, void_as=None, mmap=true,
    storage_options=None
))]
#[allow(clippy::too_many_arguments, reason = "they are options, which are given by name")]
pub fn open<'py>(
    source: &Bound<'py, PyAny>,
    memory: Option<u64>,
    time: Option<f64>,
    output: Option<u64>,
    tolerate: Option<Names>,
    byte_order: Option<&str>,
    void_as: Option<&str>,
    mmap: bool,
    storage_options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = source.py();
    // The clock of a handle runs from here on.
    let limits = limits(memory, time, output)?.started();
    let tolerate = tolerate.map(|Names(names)| names);
    let options = reading(limits, byte_order, void_as, tolerate.as_deref().unwrap_or_default())?;
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
        ("void_as", void_as.map(|name| name.into_bound_py_any(py)).transpose()?),
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
                "`byte_order` works only with IDX, but this is {}, which states its byte order",
                file.format().title()
            )))
        }
        Content::File(file) => handle(file, source, recipe),
    }
}
