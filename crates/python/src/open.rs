//! Opening files.

use crate::archive::Archive;
use crate::errors::raise;
use crate::handle::handle;
use crate::limits::limits;
use crate::recipe::Recipe;
use crate::sources::Source;
use crate::work::work;
use ndbytes::archive::Opened;
use ndbytes::everybyte::Endian;
use ndbytes::{Error, File, Input, Limits, Options, Rule, Severity};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
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

/// Opens a file of any format.
#[pyfunction]
#[pyo3(signature = (source, *, memory=None, time=None, output=None, tolerate=None, byte_order=None, mmap=true))]
pub fn open<'py>(
    source: &Bound<'py, PyAny>,
    memory: Option<u64>,
    time: Option<f64>,
    output: Option<u64>,
    tolerate: Option<Vec<String>>,
    byte_order: Option<&str>,
    mmap: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = source.py();
    // The clock of a handle runs from here on.
    let limits = limits(memory, time, output)?.started();
    let mut options = Options::new().limits(limits);
    if let Some(order) = byte_order {
        options = options.byte_order(order_of(order)?);
    }
    for name in tolerate.iter().flatten() {
        options = options.tolerate(rule_of(name)?);
    }
    let from = Source::of(source)?;
    let is_remote = matches!(from, Source::Remote(_));
    let is_repeatable = matches!(from, Source::Path(_) | Source::Remote(_));
    let has_path = matches!(from, Source::Path(_));
    let kept = options.clone();
    let content = work(py, move || read(from, mmap, &options, limits))?.map_err(|error| raise(py, error))?;
    let given = PyDict::new(py);
    if let Some(memory) = memory {
        given.set_item("memory", memory)?;
    }
    if let Some(time) = time {
        given.set_item("time", time)?;
    }
    if let Some(output) = output {
        given.set_item("output", output)?;
    }
    if let Some(tolerate) = &tolerate {
        given.set_item("tolerate", tolerate)?;
    }
    if let Some(order) = byte_order {
        given.set_item("byte_order", order)?;
    }
    if !mmap {
        given.set_item("mmap", false)?;
    }
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
